package dev.lychgate.identity;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The fields {@code name=value} of an entry, separated by blanks. A value is a word, a text in double quotes, or a list
 * in brackets, such as {@code [a,"b c"]}. The items of a list are words and texts. Within a text, a backslash precedes
 * each quote and each backslash.
 */
final class EntryFields {
    private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_.-]{0,63}");
    private static final String EXPECTED = "fields name=value, name=\"text\" or name=[a,b], separated by blanks";

    private final String text;
    private int at;

    private EntryFields(String text, int at) {
        this.text = text;
        this.at = at;
    }

    /**
     * Parses the fields of a line.
     *
     * @param from the index of the first field or of the blanks before it
     * @return the values by name, in their order; each value is a text or a list of texts
     * @throws IllegalArgumentException if a field is malformed or a name occurs twice; the message contains the
     *     expected syntax
     */
    static Map<String, Object> parse(String line, int from) {
        EntryFields fields = new EntryFields(line, from);
        Map<String, Object> all = new LinkedHashMap<>();
        fields.skipBlanks();
        while (fields.at < line.length()) {
            String name = fields.name();
            if (all.put(name, fields.value()) != null) {
                throw new IllegalArgumentException("the field " + name + " once");
            }
            fields.endOfField();
        }
        return all;
    }

    /**
     * Removes a field that must be a text.
     *
     * @return null if there is no such field
     */
    static @Nullable String removeText(Map<String, Object> fields, String name) {
        Object value = fields.remove(name);
        if (value == null || value instanceof String) {
            return (String) value;
        }
        throw new IllegalArgumentException("a single text as the value of " + name);
    }

    private void skipBlanks() {
        while (at < text.length() && isBlank(text.charAt(at))) {
            at++;
        }
    }

    private static boolean isBlank(char c) {
        return c == ' ' || c == '\t';
    }

    private void endOfField() {
        if (at < text.length() && !isBlank(text.charAt(at))) {
            throw malformed();
        }
        skipBlanks();
    }

    private String name() {
        int equals = text.indexOf('=', at);
        String name = equals < 0 ? "" : text.substring(at, equals);
        if (!NAME.matcher(name).matches()) {
            throw malformed();
        }
        at = equals + 1;
        return name;
    }

    private Object value() {
        if (!startsWith('[')) {
            return item();
        }
        List<String> list = new ArrayList<>();
        do {
            at++;
            list.add(item());
        } while (startsWith(','));
        if (!startsWith(']')) {
            throw malformed();
        }
        at++;
        return List.copyOf(list);
    }

    private boolean startsWith(char c) {
        return at < text.length() && text.charAt(at) == c;
    }

    private String item() {
        if (startsWith('"')) {
            return quoted();
        }
        int from = at;
        while (at < text.length() && isOfWord(text.charAt(at))) {
            at++;
        }
        if (at == from) {
            throw malformed();
        }
        return text.substring(from, at);
    }

    private static boolean isOfWord(char c) {
        return !Character.isWhitespace(c) && !Character.isISOControl(c) && "\"[],\\".indexOf(c) < 0;
    }

    private String quoted() {
        StringBuilder value = new StringBuilder();
        for (at++; at < text.length(); at++) {
            char c = text.charAt(at);
            if (c == '"') {
                at++;
                return value.toString();
            }
            if (c == '\\') {
                at++;
                if (!startsWith('"') && !startsWith('\\')) {
                    throw malformed();
                }
                c = text.charAt(at);
            }
            if (Character.isISOControl(c)) {
                throw malformed();
            }
            value.append(c);
        }
        throw malformed();
    }

    private static IllegalArgumentException malformed() {
        return new IllegalArgumentException(EXPECTED);
    }
}
