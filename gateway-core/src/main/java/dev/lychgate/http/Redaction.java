package dev.lychgate.http;

import dev.lychgate.config.RedactConfig;
import io.netty.util.AsciiString;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Masks sensitive values for logs with {@link #MASK}. Immutable and thread-safe.
 *
 * <p>In a query, the value of a listed parameter is masked up to the next {@code &}. Servers parse queries differently,
 * so the mask covers all text that any server might read as the value. Names are decoded before they are compared:
 *
 * <ul>
 *   <li>The case of a name is ignored.
 *   <li>The separators {@code _}, {@code -}, {@code .} and blank are interchangeable.
 *   <li>A capital letter may replace a separator and the next letter: {@code accessToken} equals {@code access_token}.
 *   <li>A name in brackets is also compared, such as {@code user[password]}.
 *   <li>A name may start after {@code ;}, {@code ?} or {@code #}.
 * </ul>
 *
 * <p>Percent-encoded content of a value, such as a URL in a parameter, is not searched. If nothing matches, nothing is
 * allocated.
 */
public final class Redaction {
    /** The text that replaces a sensitive value. */
    public static final String MASK = "***";

    /** The default redaction. */
    public static final Redaction USUAL = new Redaction(RedactConfig.DEFAULT);

    private final String[] fields;
    private final String[] parameters;

    public Redaction(RedactConfig config) {
        this.fields = config.headers().toArray(String[]::new);
        this.parameters = config.query().stream()
                .map(name -> name.toLowerCase(Locale.ROOT))
                .map(Redaction::plain)
                .toArray(String[]::new);
    }

    private static String plain(String name) {
        StringBuilder plain = new StringBuilder(name);
        for (int i = 0; i < plain.length(); i++) {
            plain.setCharAt(i, alike(plain.charAt(i)));
        }
        return plain.toString();
    }

    /** Returns whether the values of a header field are masked. */
    public boolean hides(CharSequence field) {
        for (String hidden : fields) {
            if (AsciiString.contentEqualsIgnoreCase(hidden, field)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Redacts a header field value. If the field is listed, masks the whole value; otherwise, masks the listed
     * parameters in a value that resembles a URL.
     *
     * @return the same instance if nothing is masked
     */
    public String field(CharSequence name, String value) {
        return hides(name) ? MASK : url(value);
    }

    /**
     * Redacts all values of a header field, and joins them with commas.
     *
     * @see #field(CharSequence, String)
     */
    public String field(CharSequence name, List<String> values) {
        return hides(name) ? MASK : url(values.size() == 1 ? values.get(0) : String.join(", ", values));
    }

    /**
     * Redacts a query without its question mark.
     *
     * @return the same instance if nothing is masked
     */
    public @Nullable String query(@Nullable String query) {
        return query == null ? null : masked(query, 0);
    }

    /**
     * Redacts a text that may be or contain a URL.
     *
     * @return the same instance if nothing is masked
     */
    public String url(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            // Fragments may also contain parameters, as in OAuth responses.
            if (c == '?' || c == '#') {
                return masked(text, i + 1);
            }
        }
        return text;
    }

    private String masked(String text, int from) {
        StringBuilder masked = null;
        int copied = 0;
        int at = from;
        while (at < text.length()) {
            int name = separator(text, at, true);
            if (name == text.length() || text.charAt(name) != '=') {
                at = name + 1;
                continue;
            }
            if (!isListed(text, at, name)) {
                at = separator(text, name + 1, false) + 1;
                continue;
            }
            // The value is masked up to the next "&", because some servers support no other separator.
            int end = text.indexOf('&', name);
            end = end < 0 ? text.length() : end;
            if (end > name + 1) {
                masked = masked == null ? new StringBuilder(text.length()) : masked;
                masked.append(text, copied, name + 1).append(MASK);
                copied = end;
            }
            at = end + 1;
        }
        return masked == null
                ? text
                : masked.append(text, copied, text.length()).toString();
    }

    /** @param orEquals whether an equals sign is also a separator */
    private static int separator(String text, int from, boolean orEquals) {
        int i = from;
        while (i < text.length() && !isSeparator(text.charAt(i)) && !(orEquals && text.charAt(i) == '=')) {
            i++;
        }
        return i;
    }

    private static boolean isSeparator(char c) {
        return c == '&' || c == ';' || c == '?' || c == '#';
    }

    /**
     * Returns whether the name between {@code from} and {@code to} in {@code text} is listed as sensitive. If this name
     * contains names in brackets, one listed name in brackets is sufficient.
     */
    private boolean isListed(String text, int from, int to) {
        if (isParameter(text, from, to)) {
            return true;
        }
        int begin = from;
        for (int i = from; i < to; i += width(text, i, to)) {
            int c = decoded(text, i, to);
            if (c == '[' || c == ']') {
                if (isParameter(text, begin, i)) {
                    return true;
                }
                begin = i + width(text, i, to);
            }
        }
        return begin > from && isParameter(text, begin, to);
    }

    private boolean isParameter(String text, int from, int to) {
        for (String parameter : parameters) {
            if (equals(parameter, text, from, to)) {
                return true;
            }
        }
        return false;
    }

    private static boolean equals(String parameter, String text, int from, int to) {
        int matched = 0;
        for (int i = from; i < to; i += width(text, i, to)) {
            int c = decoded(text, i, to);
            if (matched == 0 && c == ' ') {
                // Blanks before a name are ignored, because some servers remove them.
                continue;
            }
            if (matched < parameter.length() && parameter.charAt(matched) == '_' && c >= 'A' && c <= 'Z') {
                matched++;
            }
            if (matched == parameter.length() || alike((char) c) != parameter.charAt(matched)) {
                return false;
            }
            matched++;
        }
        return matched == parameter.length();
    }

    /** Returns how many characters of the text encode the character at {@code i}. */
    private static int width(String text, int i, int to) {
        return i + 2 < to && PathBytes.encodedAt(text, i) >= 0 ? 3 : 1;
    }

    private static int decoded(String text, int i, int to) {
        char c = text.charAt(i);
        return c == '+' ? ' ' : width(text, i, to) == 3 ? PathBytes.encodedAt(text, i) : c;
    }

    private static char alike(char c) {
        return switch (c) {
            case '-', '.', ' ' -> '_';
            default -> (char) HttpBytes.lower(c);
        };
    }
}
