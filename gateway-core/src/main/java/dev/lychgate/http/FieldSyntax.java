package dev.lychgate.http;

import dev.lychgate.config.OwnFields;
import io.netty.util.AsciiString;
import java.util.Objects;

/**
 * Checks the syntax of field names and values. Decoders check the fields of received messages. Use this class for
 * fields from all other sources: an unchecked value could contain a line break and thus inject another field.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9110#section-5.1">RFC 9110, 5.1 Field Names</a>
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9110#section-5.5">RFC 9110, 5.5 Field Values</a>
 */
public final class FieldSyntax {
    /** The maximum number of characters of a field value. It is larger than the usual limit for a whole head. */
    private static final int LONGEST = 64 * 1024;

    private FieldSyntax() {}

    /**
     * Requires that filters may set a field with this name and this value.
     *
     * @return the value without surrounding spaces and tabs, which are not part of a value
     * @throws IllegalArgumentException if the name is not a token, or is reserved for the gateway, or if the value is
     *     malformed or longer than 64 KiB. The message names the reason and repeats only printable text
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
                    "the value of header field " + name + " has a control character or a character outside ISO 8859-1");
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

    /**
     * Returns whether filters and settings may set a field with this name; false for fields that are reserved for the
     * gateway.
     */
    public static boolean isSettable(CharSequence name) {
        return !OwnFields.isReserved(name);
    }

    /**
     * Requires that filters may remove the field {@code name}.
     *
     * @throws IllegalArgumentException if the name is not a token, or is reserved for the gateway
     */
    public static void requireRemovable(CharSequence name) {
        Objects.requireNonNull(name, "the name of a header field is null");
        if (!isName(name)) {
            throw new IllegalArgumentException("the name of a header field is not a token");
        }
        if (!isSettable(name)) {
            throw new IllegalArgumentException("header field " + name + " is reserved for the gateway");
        }
    }

    /** Returns whether {@code name} is a token, which makes it a valid field name. */
    public static boolean isName(CharSequence name) {
        return !name.isEmpty() && isOf(HttpBytes.TOKEN, name);
    }

    /**
     * Returns whether {@code value} consists only of visible ASCII, spaces, tabs and {@code obs-text} (0x80 to 0xff).
     */
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
