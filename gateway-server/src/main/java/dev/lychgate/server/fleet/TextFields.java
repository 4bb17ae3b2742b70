package dev.lychgate.server.fleet;

import dev.lychgate.fleet.FleetException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Reads the lines {@code NAME VALUE} of a canonical text in their order. */
final class TextFields {
    private final String kind;
    private final String[] lines;
    private int next;

    /**
     * @param kind the first line, which states the kind and the version of the text
     * @throws FleetException if the text is not UTF-8, does not end with a line feed, or is of another kind
     */
    TextFields(String kind, byte[] text) throws FleetException {
        this.kind = kind;
        String all;
        try {
            all = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(text))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new FleetException(FleetException.Kind.REFUSED, kind + ": the text is not UTF-8", e);
        }
        if (!all.endsWith("\n")) {
            throw FleetException.refused(kind + ": the last line is incomplete");
        }
        this.lines = all.substring(0, all.length() - 1).split("\n", -1);
        if (!lines[0].equals(kind)) {
            throw FleetException.refused("the first line is not '" + kind + "'");
        }
        this.next = 1;
    }

    /** Returns the value of the next line. Throws FleetException if the line has another name. */
    String value(String name) throws FleetException {
        String value = optional(name);
        if (value == null) {
            throw FleetException.refused(kind + ": line " + (next + 1) + " does not begin with '" + name + "'");
        }
        return value;
    }

    /** Returns the value of the next line; null if this line has another name. */
    @Nullable
    String optional(String name) {
        if (next == lines.length || !lines[next].startsWith(name + " ")) {
            return null;
        }
        return lines[next++].substring(name.length() + 1);
    }

    /** Throws an exception unless all lines were read. */
    void end() throws FleetException {
        if (next < lines.length) {
            throw FleetException.refused(kind + ": line " + (next + 1) + " is unknown or out of order");
        }
    }
}
