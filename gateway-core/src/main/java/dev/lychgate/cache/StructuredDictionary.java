package dev.lychgate.cache;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Parses header fields that are dictionaries of structured fields. Parameters of members are checked and discarded. Any
 * error makes the whole field malformed.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9651#section-4.2.2">RFC 9651, 4.2.2 Parsing a Dictionary</a>
 */
final class StructuredDictionary {
    /** The value of members that are neither integers nor booleans. */
    static final Object OTHER = new Object();

    private static final int MOST_DIGITS = 15;

    private final String text;
    private int at;

    private StructuredDictionary(String text) {
        this.text = text;
    }

    /**
     * Parses the values of one field.
     *
     * @return the members in their order, each with a {@link Long}, a {@link Boolean} or {@link #OTHER} as its value;
     *     null if the field is malformed
     */
    static @Nullable Map<String, Object> parse(List<String> fields) {
        StructuredDictionary parser = new StructuredDictionary(String.join(",", fields));
        Map<String, Object> members = new LinkedHashMap<>();
        return parser.dictionary(members) ? members : null;
    }

    private boolean dictionary(Map<String, Object> members) {
        skip(" ");
        if (isAtEnd()) {
            return true;
        }
        while (true) {
            String key = key();
            if (key == null) {
                return false;
            }
            Object value = true;
            if (accept('=')) {
                value = peek() == '(' ? innerList() : bareItem();
            }
            if (value == null || !parameters()) {
                return false;
            }
            members.remove(key);
            members.put(key, value);
            skip(" \t");
            if (isAtEnd()) {
                return true;
            }
            if (!accept(',')) {
                return false;
            }
            skip(" \t");
            if (isAtEnd()) {
                return false;
            }
        }
    }

    private @Nullable Object innerList() {
        at++;
        while (true) {
            skip(" ");
            if (accept(')')) {
                return OTHER;
            }
            if (bareItem() == null || !parameters() || (peek() != ' ' && peek() != ')')) {
                return null;
            }
        }
    }

    private boolean parameters() {
        while (accept(';')) {
            skip(" ");
            if (key() == null || (accept('=') && bareItem() == null)) {
                return false;
            }
        }
        return true;
    }

    private @Nullable String key() {
        int from = at;
        char first = peek();
        if (!isLower(first) && first != '*') {
            return null;
        }
        while (isLower(peek()) || isDigit(peek()) || "_-.*".indexOf(peek()) >= 0) {
            at++;
        }
        return text.substring(from, at);
    }

    private @Nullable Object bareItem() {
        char c = peek();
        if (c == '-' || isDigit(c)) {
            return number();
        }
        if (c == '"') {
            return string() ? OTHER : null;
        }
        if (c == ':') {
            int end = text.indexOf(':', at + 1);
            boolean valid = end > 0 && text.substring(at + 1, end).matches("[A-Za-z0-9+/=]*");
            at = end + 1;
            return valid ? OTHER : null;
        }
        if (c == '?') {
            at++;
            boolean yes = accept('1');
            return yes || accept('0') ? (Object) yes : null;
        }
        if (c == '@') {
            at++;
            return number() instanceof Long ? OTHER : null;
        }
        if (c == '*' || isLower(c) || (c >= 'A' && c <= 'Z')) {
            while (isTokenPart(peek())) {
                at++;
            }
            return OTHER;
        }
        return null;
    }

    private @Nullable Object number() {
        int from = at;
        accept('-');
        int digits = at;
        while (isDigit(peek())) {
            at++;
        }
        int count = at - digits;
        if (count == 0 || count > MOST_DIGITS) {
            return null;
        }
        if (!accept('.')) {
            return Long.valueOf(text.substring(from, at));
        }
        int fraction = at;
        while (isDigit(peek())) {
            at++;
        }
        return count <= 12 && at > fraction && at - fraction <= 3 ? OTHER : null;
    }

    private boolean string() {
        at++;
        while (!isAtEnd()) {
            char c = text.charAt(at++);
            if (c == '"') {
                return true;
            }
            if (c == '\\') {
                if (peek() != '"' && peek() != '\\') {
                    return false;
                }
                at++;
            } else if (c < ' ' || c > '~') {
                return false;
            }
        }
        return false;
    }

    private static boolean isTokenPart(char c) {
        return isLower(c) || isDigit(c) || (c >= 'A' && c <= 'Z') || (c != 0 && "!#$%&'*+-.^_`|~:/".indexOf(c) >= 0);
    }

    private static boolean isLower(char c) {
        return c >= 'a' && c <= 'z';
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    private void skip(String blanks) {
        while (!isAtEnd() && blanks.indexOf(text.charAt(at)) >= 0) {
            at++;
        }
    }

    private boolean accept(char wanted) {
        boolean is = peek() == wanted;
        at += is ? 1 : 0;
        return is;
    }

    /** Returns the next character without consuming it. At the end, returns NUL, which no field contains. */
    private char peek() {
        return isAtEnd() ? 0 : text.charAt(at);
    }

    private boolean isAtEnd() {
        return at >= text.length();
    }
}
