package dev.lychgate.codec;

import java.util.ArrayList;
import java.util.List;

/**
 * The elements of list-valued fields.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9110#section-5.6.1">RFC 9110, 5.6.1 Lists</a>
 */
final class FieldTokens {
    private FieldTokens() {}

    /** Whether one of {@code fields} has the element {@code token}, without regard to case. */
    static boolean contain(List<String> fields, String token) {
        for (String field : fields) {
            for (String element : field.split(",", -1)) {
                if (element.trim().equalsIgnoreCase(token)) {
                    return true;
                }
            }
        }
        return false;
    }

    /** The elements of all {@code fields} up to the first semicolon of each: their names, without parameters. */
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
