package dev.lychgate.codec;

import java.util.List;

/**
 * What the Connection field says about keeping a connection.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9112#section-9.3">RFC 9112, 9.3 Persistence</a>
 */
final class ConnectionOptions {
    private ConnectionOptions() {}

    /** Whether a message of this version with these Connection fields leaves the connection open. */
    static boolean persistent(boolean http10, List<String> fields) {
        if (fields.isEmpty()) {
            return !http10;
        }
        boolean keepAlive = false;
        for (String field : fields) {
            if (names(field, "close")) {
                return false;
            }
            keepAlive |= names(field, "keep-alive");
        }
        return !http10 || keepAlive;
    }

    private static boolean names(String field, String option) {
        int from = 0;
        int length = field.length();
        while (from <= length) {
            int comma = field.indexOf(',', from);
            int end = comma < 0 ? length : comma;
            int a = from;
            int b = end;
            while (a < b && isBlank(field.charAt(a))) {
                a++;
            }
            while (b > a && isBlank(field.charAt(b - 1))) {
                b--;
            }
            if (b - a == option.length() && field.regionMatches(true, a, option, 0, option.length())) {
                return true;
            }
            from = end + 1;
        }
        return false;
    }

    private static boolean isBlank(char c) {
        return c == ' ' || c == '\t';
    }
}
