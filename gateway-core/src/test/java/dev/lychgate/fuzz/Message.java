package dev.lychgate.fuzz;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The result of {@link StrictReader} for one message, complete or not. */
final class Message {
    /** The end of a message. */
    enum End {
        /** To its last byte. */
        WHOLE,
        /** The bytes ended before the message did. */
        CUT,
        /** It is no HTTP, or not beyond doubt. */
        FAULTY
    }

    /**
     * A field line.
     *
     * @param value without the white space around it
     */
    record Field(String name, String value) {
        boolean is(String other) {
            return name.equalsIgnoreCase(other);
        }
    }

    /** Method, target and version; or version, status and reason. */
    final String[] start = {"", "", ""};

    final List<Field> fields = new ArrayList<>();
    final List<Field> trailers = new ArrayList<>();
    byte[] body = {};
    End end = End.CUT;
    String fault = "";
    /** Whether the head was read to its end, and the framing is clear. */
    boolean headRead;
    /** Whether the body has no other end than the connection's. */
    boolean untilClose;
    /** The position of the first byte after the message. */
    int next;

    boolean isWhole() {
        return end == End.WHOLE;
    }

    String method() {
        return start[0];
    }

    String target() {
        return start[1];
    }

    /** The status; 0 if there is none. */
    int status() {
        return start[1].matches("[0-9]{3}") ? Integer.parseInt(start[1]) : 0;
    }

    boolean isInterim() {
        return status() / 100 == 1;
    }

    /** All values of a field. */
    List<String> values(String name) {
        return fields.stream().filter(f -> f.is(name)).map(Field::value).toList();
    }

    /** The first value of a field, or null. */
    @Nullable
    String value(String name) {
        List<String> all = values(name);
        return all.isEmpty() ? null : all.get(0);
    }

    /** Whether a field that is a list names {@code member}. */
    boolean lists(String name, String member) {
        for (String value : values(name)) {
            for (String one : value.split(",", -1)) {
                if (one.strip().toLowerCase(Locale.ROOT).equals(member)) {
                    return true;
                }
            }
        }
        return false;
    }

    @Override
    public String toString() {
        return String.join(" ", start) + " " + fields + " body " + body.length + " " + end + " " + fault;
    }
}
