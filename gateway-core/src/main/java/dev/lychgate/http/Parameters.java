package dev.lychgate.http;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/**
 * A field value with parameters, such as {@code form-data; name="a"}. The parser is strict, because recipients
 * interpret malformed values differently. It rejects repeated parameters, but accepts semicolons without a parameter.
 *
 * @param value the text before the parameters, in lower case
 * @param all maps the name of each parameter, in lower case, to the value of the parameter
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9110#section-5.6.6">RFC 9110, 5.6.6 Parameters</a>
 */
public record Parameters(String value, Map<String, String> all) {
    /**
     * Parses a field value.
     *
     * @throws IllegalArgumentException if the field value is malformed
     */
    public static Parameters of(String field) {
        int semicolon = field.indexOf(';');
        String value = semicolon < 0 ? field : field.substring(0, semicolon);
        Map<String, String> all = new HashMap<>();
        int at = semicolon < 0 ? field.length() : semicolon;
        while (at < field.length()) {
            require(field.charAt(at) == ';');
            int next = afterBlanks(field, at + 1);
            if (next == field.length() || field.charAt(next) == ';') {
                at = next;
                continue;
            }
            int equals = field.indexOf('=', at);
            require(equals > 0);
            String name = field.substring(at + 1, equals).strip().toLowerCase(Locale.ROOT);
            require(FieldSyntax.isName(name));
            StringBuilder text = new StringBuilder();
            at = value(field, equals + 1, text);
            require(all.put(name, text.toString()) == null);
        }
        return new Parameters(value.strip().toLowerCase(Locale.ROOT), all);
    }

    /**
     * Reads a token or a quoted text.
     *
     * @return the index after the value and the following blanks
     */
    private static int value(String field, int from, StringBuilder text) {
        int at = from;
        if (at < field.length() && field.charAt(at) == '"') {
            at++;
            while (at < field.length() && field.charAt(at) != '"') {
                // Only \" and \\ are escapes. Other backslashes are literal, because browsers send them as separators
                // in file paths.
                boolean escape = field.charAt(at) == '\\'
                        && at + 1 < field.length()
                        && (field.charAt(at + 1) == '"' || field.charAt(at + 1) == '\\');
                at += escape ? 1 : 0;
                text.append(field.charAt(at++));
            }
            require(at < field.length());
            at++;
        } else {
            while (at < field.length() && field.charAt(at) != ';') {
                text.append(field.charAt(at++));
            }
            text.setLength(text.toString().stripTrailing().length());
            require(FieldSyntax.isName(text));
        }
        return afterBlanks(field, at);
    }

    private static int afterBlanks(String field, int from) {
        int at = from;
        while (at < field.length() && (field.charAt(at) == ' ' || field.charAt(at) == '\t')) {
            at++;
        }
        return at;
    }

    private static void require(boolean holds) {
        if (!holds) {
            throw new IllegalArgumentException("malformed parameters of a header field");
        }
    }
}
