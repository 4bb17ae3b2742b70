package dev.lychgate.testing;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.lychgate.http2.Http2Error;
import dev.lychgate.testing.RawMessage.Field;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The received frames of one stream so far: response heads, or a request head, body, trailers, and the end. */
public final class Http2Response {
    private final List<List<Field>> interim = new ArrayList<>();
    private final ByteArrayOutputStream body = new ByteArrayOutputStream();
    private @Nullable List<Field> head;
    private @Nullable List<Field> trailers;
    private @Nullable Http2Error reset;
    private boolean ended;
    private int dataFrames;
    private long bytes;
    private boolean kept = true;

    void addHeaders(List<Field> fields) {
        if (head != null) {
            trailers = fields;
        } else if (!fields.get(0).name().equals(":method") && statusOf(fields) < 200) {
            interim.add(fields);
        } else {
            head = fields;
        }
    }

    void addData(byte[] piece) {
        dataFrames++;
        bytes += piece.length;
        if (kept) {
            body.writeBytes(piece);
        }
    }

    void end() {
        ended = true;
    }

    void reset(Http2Error error) {
        reset = error;
    }

    /** Counts the body from here on, without storing it. */
    void keepNothing() {
        kept = false;
    }

    private static int statusOf(List<Field> fields) {
        Field first = fields.get(0);
        if (!first.name().equals(":status")) {
            throw new AssertionError("a response that does not begin with its status: " + fields);
        }
        return Integer.parseInt(first.value());
    }

    /** The final status. */
    public int status() {
        return statusOf(fields());
    }

    /** The final head, pseudo-field included. */
    public List<Field> fields() {
        if (head == null) {
            throw new AssertionError("no head has arrived");
        }
        return head;
    }

    /** The value of the only field of that name; empty if there is none. */
    public Optional<String> value(String name) {
        return RawMessage.head("", fields()).value(name);
    }

    /** The statuses of interim responses, in order. */
    public List<Integer> interim() {
        return interim.stream().map(Http2Response::statusOf).toList();
    }

    /** The body, one char per byte. */
    public String body() {
        return body.toString(ISO_8859_1);
    }

    /** Returns the length of the body in bytes. */
    public long bytes() {
        return bytes;
    }

    /** The number of frames of the body. */
    public int dataFrames() {
        return dataFrames;
    }

    /** The fields after the body; empty if there are none. */
    public List<Field> trailers() {
        return trailers == null ? List.of() : trailers;
    }

    /** Whether the final head has arrived. */
    public boolean hasHead() {
        return head != null;
    }

    /** Whether the end has arrived. */
    public boolean isEnded() {
        return ended;
    }

    /** By what the stream was reset; null if it was not. */
    public @Nullable Http2Error reset() {
        return reset;
    }
}
