package dev.lychgate.cache;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Compares entity tags.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9110#section-8.8.3.2">RFC 9110, 8.8.3.2 Comparison</a>
 */
final class EntityTag {
    private EntityTag() {}

    /** Returns whether both tags are strong and equal. */
    static boolean equalsStrongly(String one, @Nullable String other) {
        return !isWeak(one) && one.equals(other);
    }

    /** Returns whether both tags are equal. Ignores whether they are weak. */
    static boolean equalsWeakly(String one, @Nullable String other) {
        return other != null && opaque(one).equals(opaque(other));
    }

    private static boolean isWeak(String tag) {
        return tag.startsWith("W/");
    }

    private static String opaque(String tag) {
        return isWeak(tag) ? tag.substring(2) : tag;
    }

    /**
     * Returns whether a list of tags contains a tag. Uses the weak comparison.
     *
     * @param fields the values of {@code If-None-Match}; {@code *} matches every stored response
     * @param tag the tag of the stored response; null if it has none
     */
    static boolean isIn(List<String> fields, @Nullable String tag) {
        for (String field : fields) {
            if (field.strip().equals("*")) {
                return true;
            }
            int at = 0;
            while (at < field.length()) {
                int end = end(field, at);
                if (equalsWeakly(field.substring(at, end).strip(), tag)) {
                    return true;
                }
                at = end + 1;
            }
        }
        return false;
    }

    /**
     * Returns the position of the comma after the tag that begins at {@code from}. Commas in quotes belong to the tag.
     */
    private static int end(String field, int from) {
        boolean quoted = false;
        for (int i = from; i < field.length(); i++) {
            char c = field.charAt(i);
            quoted ^= c == '"';
            if (c == ',' && !quoted) {
                return i;
            }
        }
        return field.length();
    }
}
