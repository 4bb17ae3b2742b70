package dev.lychgate.cache;

import dev.lychgate.http.HttpBytes;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * One range of bytes of a stored body.
 *
 * @param from the first byte
 * @param length the number of bytes; 0 if no byte of the body is in the range
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9110#section-14.1.2">RFC 9110, 14.1.2 Byte Ranges</a>
 */
record ByteRange(long from, long length) {
    private static final String UNIT = "bytes=";
    private static final int MOST_DIGITS = 18;

    /**
     * Parses the header field {@code Range}. The field is ignored, as RFC 9110 allows, if it is malformed, has a unit
     * other than bytes, or contains several ranges.
     *
     * @param fields the values of the field
     * @param whole the length of the whole body, in bytes
     * @return the range; null if the field is ignored
     */
    static @Nullable ByteRange parse(List<String> fields, long whole) {
        String field = fields.size() == 1 ? fields.get(0).strip().toLowerCase(Locale.ROOT) : "";
        if (!field.startsWith(UNIT) || field.indexOf(',') >= 0) {
            return null;
        }
        String range = field.substring(UNIT.length()).strip();
        int dash = range.indexOf('-');
        if (dash < 0) {
            return null;
        }
        String first = range.substring(0, dash);
        String last = range.substring(dash + 1);
        if (first.isEmpty()) {
            long suffix = number(last);
            return suffix < 0 ? null : new ByteRange(Math.max(0, whole - suffix), Math.min(whole, suffix));
        }
        long from = number(first);
        long to = last.isEmpty() ? Long.MAX_VALUE - 1 : number(last);
        if (from < 0 || to < from) {
            return null;
        }
        return new ByteRange(from, Math.max(0, Math.min(to, whole - 1) - from + 1));
    }

    private static long number(String text) {
        boolean digits = !text.isEmpty() && text.length() <= MOST_DIGITS && HttpBytes.isDigits(text);
        return digits ? Long.parseLong(text) : -1;
    }

    boolean isSatisfiable() {
        return length > 0;
    }

    /** Returns the value of {@code Content-Range} for a body of the length {@code whole}. */
    String field(long whole) {
        return isSatisfiable() ? "bytes " + from + '-' + (from + length - 1) + '/' + whole : "bytes */" + whole;
    }
}
