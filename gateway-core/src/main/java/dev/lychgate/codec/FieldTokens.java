package dev.lychgate.codec;

import dev.lychgate.http.HttpBytes;
import java.util.ArrayList;
import java.util.List;

/**
 * Parses list-valued headers.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9110#section-5.6.1">RFC 9110, 5.6.1 Lists</a>
 */
final class FieldTokens {
    private FieldTokens() {}

    /** Returns whether {@code fields} contain the element {@code token}, ignoring case. */
    static boolean contain(List<String> fields, String token) {
        for (String field : fields) {
            if (contains(field, token)) {
                return true;
            }
        }
        return false;
    }

    /** Returns whether {@code field} contains the element {@code token}, ignoring case; does not allocate. */
    static boolean contains(String field, String token) {
        int from = 0;
        int length = field.length();
        while (from <= length) {
            int comma = field.indexOf(',', from);
            int end = comma < 0 ? length : comma;
            int a = from;
            int b = end;
            while (a < b && HttpBytes.isBlank(field.charAt(a))) {
                a++;
            }
            while (b > a && HttpBytes.isBlank(field.charAt(b - 1))) {
                b--;
            }
            if (b - a == token.length() && field.regionMatches(true, a, token, 0, token.length())) {
                return true;
            }
            from = end + 1;
        }
        return false;
    }

    /** Returns the names of all elements of {@code fields}, without parameters after a semicolon. */
    static List<String> names(List<String> fields) {
        List<String> names = new ArrayList<>();
        for (String field : fields) {
            for (String element : field.split(",", -1)) {
                int semicolon = element.indexOf(';');
                String name = (semicolon < 0 ? element : element.substring(0, semicolon)).trim();
                if (!name.isEmpty()) {
                    names.add(name);
                }
            }
        }
        return names;
    }
}
