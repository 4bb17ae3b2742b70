package dev.lychgate.http;

import org.jspecify.annotations.Nullable;

/**
 * Parses one element of {@code Forwarded}, such as {@code for="[2001:db8::1]:4711";proto=https}.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc7239#section-4">RFC 7239, 4 Forwarded HTTP Header Field</a>
 */
final class ForwardedElement {
    private final String text;
    private int at;
    private @Nullable String node;
    private boolean malformed;

    private ForwardedElement(String text) {
        this.text = text;
    }

    /**
     * Returns the value of {@code for}, unquoted; null if the element has no {@code for}, has more than one, or is
     * malformed.
     */
    static @Nullable String node(String element) {
        ForwardedElement parsed = new ForwardedElement(element);
        parsed.parse();
        return parsed.malformed ? null : parsed.node;
    }

    private void parse() {
        while (!malformed && at < text.length()) {
            skipBlanks();
            if (at < text.length() && text.charAt(at) != ';') {
                pair();
                skipBlanks();
            }
            malformed |= at < text.length() && text.charAt(at) != ';';
            at++;
        }
    }

    private void pair() {
        String name = token();
        if (name.isEmpty() || at >= text.length() || text.charAt(at) != '=') {
            malformed = true;
            return;
        }
        at++;
        String value = at < text.length() && text.charAt(at) == '"' ? quoted() : value();
        malformed |= value.isEmpty();
        if (name.equalsIgnoreCase("for")) {
            malformed |= node != null;
            node = value;
        }
    }

    private String token() {
        int begin = at;
        while (at < text.length() && FieldSyntax.isName(text.substring(at, at + 1))) {
            at++;
        }
        return text.substring(begin, at);
    }

    /**
     * Reads a value without quotes. Accepts colons and brackets in such a value: the grammar requires quotes around
     * them, but many senders omit the quotes.
     */
    private String value() {
        int begin = at;
        while (at < text.length() && "\"=;, \t".indexOf(text.charAt(at)) < 0) {
            at++;
        }
        return text.substring(begin, at);
    }

    private String quoted() {
        StringBuilder value = new StringBuilder();
        for (at++; at < text.length(); at++) {
            char c = text.charAt(at);
            if (c == '"') {
                at++;
                return value.toString();
            }
            if (c == '\\' && at + 1 < text.length()) {
                at++;
                c = text.charAt(at);
            }
            value.append(c);
        }
        malformed = true;
        return "";
    }

    private void skipBlanks() {
        while (at < text.length() && (text.charAt(at) == ' ' || text.charAt(at) == '\t')) {
            at++;
        }
    }
}
