package dev.lychgate.testing;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A request or response exactly as it was received: fields in order, repeated ones repeated, names in their original case. One
 * char is one byte (ISO 8859-1) everywhere.
 *
 * @param startLine request line or status line, without its line end
 * @param fields the header section in order
 * @param body the content, chunked coding removed; empty when there is none
 * @param trailers the fields after the last chunk, in order
 */
public record RawMessage(String startLine, List<Field> fields, String body, List<Field> trailers) {
    /** One field line; optional white space round the value is cut off. */
    public record Field(String name, String value) {
        @Override
        public String toString() {
            return name + ": " + value;
        }
    }

    public RawMessage {
        fields = List.copyOf(fields);
        trailers = List.copyOf(trailers);
    }

    /** A head without body and trailers. */
    static RawMessage head(String startLine, List<Field> fields) {
        return new RawMessage(startLine, fields, "", List.of());
    }

    RawMessage with(String newBody, List<Field> newTrailers) {
        return new RawMessage(startLine, fields, newBody, newTrailers);
    }

    /** The value of the only field of this name; empty when there is none. Fails when there are several. */
    public Optional<String> value(String name) {
        List<String> all = values(name);
        if (all.size() > 1) {
            throw new AssertionError(name + " is there " + all.size() + " times: " + all);
        }
        return all.stream().findFirst();
    }

    /** The values of all fields of this name, in order. */
    public List<String> values(String name) {
        List<String> all = new ArrayList<>();
        for (Field field : fields) {
            if (field.name().equalsIgnoreCase(name)) {
                all.add(field.value());
            }
        }
        return all;
    }

    /** Whether a field of this name is there. */
    public boolean has(String name) {
        return !values(name).isEmpty();
    }

    /** The body as received bytes. */
    public byte[] bodyBytes() {
        return body.getBytes(ISO_8859_1);
    }

    /** A request's method. */
    public String method() {
        return startLine.substring(0, startLine.indexOf(' '));
    }

    /** A request's target, as sent. */
    public String target() {
        return startLine.substring(startLine.indexOf(' ') + 1, startLine.lastIndexOf(' '));
    }

    /** A response's status code. */
    public int status() {
        return Integer.parseInt(startLine, 9, 12, 10);
    }
}
