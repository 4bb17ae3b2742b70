package dev.lychgate.testing;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.lychgate.testing.RawMessage.Field;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads HTTP/1 messages strictly: a message that a careful origin would refuse is an {@link AssertionError} here, so that every
 * reader also checks the gateway's output. Deliberately not built on Netty: it must not share the gateway's blind spots.
 *
 * <p>A connection that ends within a message is an {@link EOFException}; a reset is the socket's own exception.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9112">RFC 9112</a>
 */
final class MessageReader {
    private static final int LONGEST_LINE = 1 << 20;
    private static final Pattern REQUEST_LINE = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+ [!-~]+ HTTP/1\\.[01]");
    private static final Pattern STATUS_LINE = Pattern.compile("HTTP/1\\.[01] [1-5][0-9]{2} [\\t -~\\x80-\\xff]*");
    private static final Pattern FIELD_LINE =
            Pattern.compile("([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \\t]*([\\t -~\\x80-\\xff]*?)[ \\t]*");
    private static final Pattern LENGTH = Pattern.compile("[0-9]{1,18}");
    private static final Pattern CHUNK_SIZE = Pattern.compile("[0-9a-fA-F]{1,15}");

    private final InputStream in;

    MessageReader(InputStream in) {
        this.in = in;
    }

    /** The next request's head; empty when the peer closed where a request would begin. */
    Optional<RawMessage> requestHead() throws IOException {
        String line = line(true);
        return line == null ? Optional.empty() : Optional.of(head(line, REQUEST_LINE));
    }

    /** The next response's head, an interim one included. */
    RawMessage responseHead() throws IOException {
        return head(line(), STATUS_LINE);
    }

    /** The body that belongs to this request head. */
    RawMessage requestBody(RawMessage head) throws IOException {
        return isFramed(head) ? framedBody(head) : head;
    }

    /** The body that belongs to this final response head, given the method of its request. */
    RawMessage responseBody(RawMessage head, String method) throws IOException {
        int status = head.status();
        if (method.equals("HEAD") || status < 200 || status == 204 || status == 304) {
            return head;
        }
        return isFramed(head) ? framedBody(head) : head.with(text(in.readAllBytes()), List.of());
    }

    /** Exactly {@code count} bytes. */
    byte[] bytes(int count) throws IOException {
        byte[] bytes = in.readNBytes(count);
        if (bytes.length < count) {
            throw new EOFException("connection ended after " + bytes.length + " of " + count + " bytes");
        }
        return bytes;
    }

    private RawMessage head(String startLine, Pattern grammar) throws IOException {
        if (!grammar.matcher(startLine).matches()) {
            throw broken("start line", startLine);
        }
        RawMessage head = RawMessage.head(startLine, fields());
        checkFraming(head);
        return head;
    }

    private List<Field> fields() throws IOException {
        List<Field> fields = new ArrayList<>();
        for (String line = line(); !line.isEmpty(); line = line()) {
            var parts = FIELD_LINE.matcher(line);
            if (!parts.matches()) {
                throw broken("field line", line);
            }
            fields.add(new Field(parts.group(1), parts.group(2)));
        }
        return fields;
    }

    private static void checkFraming(RawMessage head) {
        List<String> lengths = head.values("content-length");
        List<String> codings = head.values("transfer-encoding");
        if (lengths.size() + codings.size() > 1) {
            throw broken("framing", lengths + " and " + codings);
        }
        if (!lengths.isEmpty() && !LENGTH.matcher(lengths.get(0)).matches()) {
            throw broken("Content-Length", lengths.get(0));
        }
        if (!codings.isEmpty() && !codings.get(0).equals("chunked")) {
            throw broken("Transfer-Encoding", codings.get(0));
        }
    }

    private static boolean isFramed(RawMessage head) {
        return head.has("content-length") || head.has("transfer-encoding");
    }

    private RawMessage framedBody(RawMessage head) throws IOException {
        if (head.has("transfer-encoding")) {
            String body = chunks();
            return head.with(body, fields());
        }
        int length = Integer.parseInt(head.values("content-length").get(0));
        return head.with(text(bytes(length)), List.of());
    }

    private String chunks() throws IOException {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        while (true) {
            String size = line();
            if (!CHUNK_SIZE.matcher(size).matches()) {
                throw broken("chunk size", size);
            }
            int length = Math.toIntExact(Long.parseLong(size.toLowerCase(Locale.ROOT), 16));
            if (length == 0) {
                return text(body.toByteArray());
            }
            body.write(bytes(length));
            String end = line();
            if (!end.isEmpty()) {
                throw broken("end of chunk", end);
            }
        }
    }

    private String line() throws IOException {
        String line = line(false);
        if (line == null) {
            throw new EOFException("connection ended where a line of the message would begin");
        }
        return line;
    }

    private @Nullable String line(boolean mayBeMissing) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int b = in.read(); b != '\r'; b = in.read()) {
            if (b < 0) {
                if (mayBeMissing && line.size() == 0) {
                    return null;
                }
                throw new EOFException("connection ended within the line '" + line.toString(ISO_8859_1) + "'");
            }
            if (b == '\n' || line.size() == LONGEST_LINE) {
                throw broken("line (bare LF, or without end)", line.toString(ISO_8859_1));
            }
            line.write(b);
        }
        if (in.read() != '\n') {
            throw broken("line (bare CR)", line.toString(ISO_8859_1));
        }
        return line.toString(ISO_8859_1);
    }

    private static String text(byte[] bytes) {
        return new String(bytes, ISO_8859_1);
    }

    private static AssertionError broken(String what, String was) {
        return new AssertionError("broken " + what + ": '" + was + "'");
    }
}
