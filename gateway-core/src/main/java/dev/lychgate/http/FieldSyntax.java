package dev.lychgate.http;

import dev.lychgate.config.OwnFields;
import io.netty.util.AsciiString;
import java.util.Objects;

/**
 * What the name and the value of a field may be made of. What comes in has been held to it before it becomes a head, so
 * the heads themselves do not check again; whatever else goes into one must pass here, or it could end the line it
 * stands in and begin another.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9110#section-5.1">RFC 9110, 5.1 Field Names</a>
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9110#section-5.5">RFC 9110, 5.5 Field Values</a>
 */
public final class FieldSyntax {
    /** The longest value, in characters: more than any usual limit for all of a head. */
    private static final int LONGEST = 64 * 1024;

    private FieldSyntax() {}

    /**
     * Demands that a field may be set by filters.
     *
     * @return the value as it is to be set: without the blanks and tabs around it, which are no part of a value
     * @throws IllegalArgumentException if the name is not a token or is one of the gateway's own to write, or the value
     *     can't be sent, or is longer than 64 KiB; says which, and repeats only what can be printed
     */
    public static String settable(String name, String value) {
        requireRemovable(name);
        Objects.requireNonNull(value, "the value of a header field is null");
        if (value.length() > LONGEST) {
            throw new IllegalArgumentException("the value of header field " + name + " has " + value.length()
                    + " characters (expected: at most " + LONGEST + ")");
        }
        if (!isValue(value)) {
            throw new IllegalArgumentException(
                    "the value of header field " + name + " has a control byte or one beyond ISO 8859-1");
        }
        return withoutBlanksAround(value);
    }

    private static String withoutBlanksAround(String value) {
        int from = 0;
        int end = value.length();
        while (from < end && HttpBytes.isBlank(value.charAt(from))) {
            from++;
        }
        while (end > from && HttpBytes.isBlank(value.charAt(end - 1))) {
            end--;
        }
        return value.substring(from, end);
    }

    /** Whether filters and settings may write a field of that name; false for those that the gateway writes itself. */
    public static boolean isSettable(CharSequence name) {
        return !OwnFields.isReserved(name);
    }

    /** Demands that a field may be removed by filters: a token, and not one of the gateway's own to write. */
    public static void requireRemovable(CharSequence name) {
        Objects.requireNonNull(name, "the name of a header field is null");
        if (!isName(name)) {
            throw new IllegalArgumentException("the name of a header field is not a token");
        }
        if (!isSettable(name)) {
            throw new IllegalArgumentException("header field " + name + " is the gateway's own to write");
        }
    }

    /** Whether {@code name} is a token, and so may name a field. */
    public static boolean isName(CharSequence name) {
        return !name.isEmpty() && isOf(HttpBytes.TOKEN, name);
    }

    /** Whether {@code value} is of visible ASCII, blanks, tabs and {@code obs-text} (0x80 to 0xff) alone; it may be empty. */
    public static boolean isValue(CharSequence value) {
        if (value instanceof AsciiString ascii) {
            int from = ascii.arrayOffset();
            int end = from + ascii.length();
            return HttpBytes.endOfText(ascii.array(), from, end) == end;
        }
        return isOf(HttpBytes.TEXT, value);
    }

    private static boolean isOf(byte classes, CharSequence text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c > 0xff || !HttpBytes.is((byte) c, classes)) {
                return false;
            }
        }
        return true;
    }
}
