package dev.lychgate.cache;

import dev.lychgate.http.HttpBytes;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The cache directives of one message. Unknown directives are ignored. Lifetimes that are malformed or contradict each
 * other count as 0. A directive with field names, such as {@code no-cache="set-cookie"}, has the effect of the same
 * directive without names. A semicolon separates directives as a comma does, but a lifetime before a semicolon counts
 * as malformed: {@code max-age=60; private} means {@code private} with a lifetime of 0. Times are in seconds.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9111#section-5.2">RFC 9111, 5.2 Cache-Control</a>
 */
final class CacheControl {
    /** The maximum number of seconds. Larger numbers count as this number (RFC 9111, 1.2.2). */
    static final long MOST = 1L << 31;

    /** The value that represents an absent directive. */
    static final long ABSENT = -1;

    /** A message without directives. */
    static final CacheControl NONE = new CacheControl(false);

    private final boolean targeted;
    private boolean noStore;
    private boolean noCache;
    private boolean onlyIfCached;
    private boolean isPrivate;
    private boolean isPublic;
    private boolean mustRevalidate;
    private boolean mustUnderstand;
    private long maxAge = ABSENT;
    private long sharedMaxAge = ABSENT;
    private long minFresh = ABSENT;
    private long maxStale = ABSENT;
    private long staleWhileRevalidate = ABSENT;
    private long staleIfError = ABSENT;

    private CacheControl(boolean targeted) {
        this.targeted = targeted;
    }

    /** Parses the values of {@code Cache-Control}. */
    static CacheControl parse(List<String> fields) {
        if (fields.isEmpty()) {
            return NONE;
        }
        CacheControl parsed = new CacheControl(false);
        for (String field : fields) {
            parsed.add(field);
        }
        return parsed;
    }

    /** Creates the directives of a targeted field (RFC 9213) from the members of the dictionary in the field. */
    static CacheControl targeted(Map<String, Object> members) {
        CacheControl parsed = new CacheControl(true);
        members.forEach((name, value) -> {
            if (value instanceof Long number) {
                // Of all directives, lifetimes alone have numbers as values. Any other directive with a number counts
                // as a directive without a value.
                parsed.set(name, Long.toString(number), number < 0);
            } else if (!Boolean.FALSE.equals(value) && !isLifetime(name)) {
                parsed.set(name, null, false);
            }
        });
        return parsed;
    }

    private static boolean isLifetime(String name) {
        return switch (name) {
            case "max-age", "s-maxage", "min-fresh", "max-stale", "stale-while-revalidate", "stale-if-error" -> true;
            default -> false;
        };
    }

    // ---- parse

    private void add(String field) {
        int at = 0;
        int length = field.length();
        while (at < length) {
            char c = field.charAt(at);
            if (c == ',' || c == ';' || HttpBytes.isBlank(c)) {
                at++;
                continue;
            }
            int end = endOfName(field, at);
            String name = field.substring(at, end).toLowerCase(Locale.ROOT);
            at = skipBlanks(field, end);
            if (at == length || field.charAt(at) != '=') {
                // A text that follows a name without a comma or an equals sign belongs to no directive.
                boolean junk = at < length && field.charAt(at) != ',';
                at = junk && field.charAt(at) == ';' ? at + 1 : endOfMember(field, at);
                set(name, null, junk);
                continue;
            }
            boolean malformed = at > end;
            int from = skipBlanks(field, at + 1);
            malformed |= from > at + 1;
            if (from < length && field.charAt(from) == '"') {
                StringBuilder text = new StringBuilder();
                at = quoted(field, from + 1, text);
                malformed |= at > length;
                at = Math.min(at, length);
                int next = endOfMember(field, at);
                malformed |= !field.substring(at, next).isBlank();
                at = next;
                set(name, text.toString(), malformed);
            } else {
                at = endOfMember(field, from);
                set(name, field.substring(from, at).strip(), malformed);
                int semicolon = field.indexOf(';', from);
                at = semicolon >= 0 && semicolon < at ? semicolon : at;
            }
        }
    }

    private static int endOfName(String field, int from) {
        int end = from;
        while (end < field.length()
                && field.charAt(end) != '='
                && field.charAt(end) != ','
                && field.charAt(end) != ';'
                && !HttpBytes.isBlank(field.charAt(end))) {
            end++;
        }
        return end;
    }

    private static int skipBlanks(String field, int from) {
        int at = from;
        while (at < field.length() && HttpBytes.isBlank(field.charAt(at))) {
            at++;
        }
        return at;
    }

    /** Returns the position of the comma that ends the directive. Commas in quotes belong to the directive. */
    private static int endOfMember(String field, int from) {
        int at = from;
        while (at < field.length() && field.charAt(at) != ',') {
            at = field.charAt(at) == '"' ? quoted(field, at + 1, new StringBuilder()) : at + 1;
        }
        return Math.min(at, field.length());
    }

    /**
     * Reads a quoted text, and returns the position after its closing quote. If the closing quote is missing, the
     * result is beyond the end of the field.
     */
    private static int quoted(String field, int from, StringBuilder text) {
        int at = from;
        while (at < field.length() && field.charAt(at) != '"') {
            if (field.charAt(at) == '\\' && at + 1 < field.length()) {
                at++;
            }
            text.append(field.charAt(at++));
        }
        return at + 1;
    }

    private void set(String name, @Nullable String value, boolean malformed) {
        switch (name) {
            case "no-store" -> noStore = true;
            case "no-cache" -> noCache = true;
            case "only-if-cached" -> onlyIfCached = true;
            case "private" -> isPrivate = true;
            case "public" -> isPublic = true;
            case "must-revalidate", "proxy-revalidate" -> mustRevalidate = true;
            case "must-understand" -> mustUnderstand = true;
            case "max-age" -> maxAge = lifetime(maxAge, value, malformed);
            case "s-maxage" -> sharedMaxAge = lifetime(sharedMaxAge, value, malformed);
            case "min-fresh" -> minFresh = lifetime(minFresh, value, malformed);
            case "max-stale" -> maxStale = value == null ? MOST : lifetime(maxStale, value, malformed);
            case "stale-while-revalidate" -> staleWhileRevalidate = lifetime(staleWhileRevalidate, value, malformed);
            case "stale-if-error" -> staleIfError = lifetime(staleIfError, value, malformed);
            default -> {}
        }
    }

    private static long lifetime(long before, @Nullable String value, boolean malformed) {
        long seconds = malformed || value == null ? ABSENT : seconds(value);
        if (seconds == ABSENT || (before != ABSENT && before != seconds)) {
            return 0;
        }
        return seconds;
    }

    /**
     * Converts a text to a number of seconds, which is at most {@link #MOST}. Returns {@link #ABSENT} if the text is
     * not a number.
     */
    static long seconds(String text) {
        if (text.isEmpty() || !HttpBytes.isDigits(text)) {
            return ABSENT;
        }
        long seconds = 0;
        for (int i = 0; i < text.length() && seconds < MOST; i++) {
            seconds = seconds * 10 + (text.charAt(i) - '0');
        }
        return Math.min(seconds, MOST);
    }

    // ---- directives

    /** Returns whether these directives are from a targeted field. If so, {@code Expires} is ignored. */
    boolean isTargeted() {
        return targeted;
    }

    boolean noStore() {
        return noStore;
    }

    boolean noCache() {
        return noCache;
    }

    boolean onlyIfCached() {
        return onlyIfCached;
    }

    boolean isPrivate() {
        return isPrivate;
    }

    boolean isPublic() {
        return isPublic;
    }

    /**
     * Returns whether {@code must-revalidate} or {@code proxy-revalidate} is present, so that the response must not be
     * used when it is stale.
     */
    boolean mustRevalidate() {
        return mustRevalidate;
    }

    boolean mustUnderstand() {
        return mustUnderstand;
    }

    /** Returns the value of {@code max-age}; {@link #ABSENT} if the directive is absent. */
    long maxAge() {
        return maxAge;
    }

    /** Returns the value of {@code s-maxage}; {@link #ABSENT} if the directive is absent. */
    long sharedMaxAge() {
        return sharedMaxAge;
    }

    long minFresh() {
        return minFresh;
    }

    /** Returns the value of {@code max-stale}; {@link #MOST} if the directive has no value. */
    long maxStale() {
        return maxStale;
    }

    long staleWhileRevalidate() {
        return staleWhileRevalidate;
    }

    long staleIfError() {
        return staleIfError;
    }

    /** Returns whether a response to a request with credentials may be stored and shared (RFC 9111, 3.5). */
    boolean permitsSharing() {
        return isPublic || sharedMaxAge != ABSENT || mustRevalidate;
    }
}
