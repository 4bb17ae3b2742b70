package dev.lychgate.http;

import dev.lychgate.config.RedactConfig;
import io.netty.util.AsciiString;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Writes {@link #MASK} in place of values that no log shall hold. Immutable; any thread.
 *
 * <p>In a query the value of a listed parameter is masked up to the next {@code &}. Servers don't agree on what a query is, so
 * what any of them might read as the parameter is taken for it: names are compared decoded, without regard to case, with
 * {@code _}, {@code -}, {@code .} and blank alike, whole and by what stands in brackets ({@code user[password]}); behind
 * {@code ;}, {@code ?} and {@code #} a name may begin, too. Where nothing is masked nothing is allocated. What is encoded within
 * a value (a URL in a parameter, say) is not looked into.
 */
public final class Redaction {
    /** What is written in place of a value. */
    public static final String MASK = "***";

    /** What is usually kept out of logs. */
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

    /** Whether the values of a header field are not told. */
    public boolean hides(CharSequence field) {
        for (String hidden : fields) {
            if (AsciiString.contentEqualsIgnoreCase(hidden, field)) {
                return true;
            }
        }
        return false;
    }

    /**
     * A value of a header field: the mask if it is not told, else with its query masked if it looks like a URL.
     *
     * @return the same instance where nothing is masked
     */
    public String field(CharSequence name, String value) {
        return hides(name) ? MASK : url(value);
    }

    /** The values of a field, in one text. @see #field(CharSequence, String) */
    public String field(CharSequence name, List<String> values) {
        return hides(name) ? MASK : url(values.size() == 1 ? values.get(0) : String.join(", ", values));
    }

    /** A query, without its question mark. @return the same instance where nothing is masked */
    public @Nullable String query(@Nullable String query) {
        return query == null ? null : masked(query, 0);
    }

    /** A text that may be a URL, or hold one. @return the same instance where nothing is masked */
    public String url(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            // A fragment is a query to some: answers of OAuth stand there.
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
            // To those who know no other separator, the rest is the value too.
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

    /** @param orEquals whether an equals sign separates, too */
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

    /** Whether the name in {@code text} is a listed one, or one of the names in its brackets is. */
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
                // Some servers take blanks before a name off.
                continue;
            }
            if (matched == parameter.length() || alike((char) c) != parameter.charAt(matched)) {
                return false;
            }
            matched++;
        }
        return matched == parameter.length();
    }

    /** How many characters of the text stand for the one at {@code i}. */
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
