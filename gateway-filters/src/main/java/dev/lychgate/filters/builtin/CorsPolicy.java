package dev.lychgate.filters.builtin;

import dev.lychgate.config.ConfigException;
import dev.lychgate.filter.Headers;
import dev.lychgate.http.FieldSyntax;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Who may read answers from other origins, and what such pages may send. With credentials {@code *} is no wildcard to
 * browsers, and to let everybody in with credentials would be to have no protection at all: it is refused.
 *
 * @param anyone whether all origins are allowed, by {@code *}
 * @param origins in small letters, {@code https://app.example.com}
 * @param wildcards for {@code https://*.example.com}, all names below one
 * @see <a href="https://fetch.spec.whatwg.org/#http-cors-protocol">Fetch, 3.3 CORS protocol</a>
 */
record CorsPolicy(
        boolean anyone,
        Set<String> origins,
        List<Wildcard> wildcards,
        boolean credentials,
        List<String> methods,
        List<String> headers,
        List<String> expose,
        @Nullable String maxAge) {
    private static final Pattern COMMA = Pattern.compile(",");
    private static final Pattern ORIGIN =
            Pattern.compile("([a-z][a-z0-9+.-]*://)(\\*\\.)?([a-z0-9._~-]+|\\[[0-9a-f:.]+])(:\\d{1,5})?");

    /** @throws ConfigException if the settings can't be used, or don't go together */
    static CorsPolicy of(Settings settings) {
        List<String> origins = settings.texts("origins").stream()
                .map(origin -> origin.toLowerCase(Locale.ROOT))
                .toList();
        boolean credentials = settings.flag("credentials");
        boolean anyone = origins.equals(List.of("*"));
        if (origins.isEmpty()) {
            throw new ConfigException("origins", "[]", "at least one origin, or *");
        }
        if (anyone && credentials) {
            throw new ConfigException("origins", "*", "a list of origins, as credentials are allowed");
        }
        for (String origin : origins) {
            if (!anyone && !ORIGIN.matcher(origin).matches()) {
                throw new ConfigException(
                        "origins",
                        origin,
                        "* alone, or origins such as https://app.example.com and https://*.example.com");
            }
        }
        Duration age = settings.durationOrNull("max-age");
        if (age != null && age.isNegative()) {
            throw new ConfigException("max-age", age.toSeconds(), ">= 0");
        }
        return new CorsPolicy(
                anyone,
                Set.copyOf(origins),
                Wildcard.of(origins),
                credentials,
                names(settings, "methods", credentials),
                names(settings, "headers", credentials),
                names(settings, "expose", credentials),
                age == null ? null : Long.toString(age.toSeconds()));
    }

    private static List<String> names(Settings settings, String key, boolean credentials) {
        List<String> names = settings.texts(key);
        for (String name : names) {
            if (!FieldSyntax.isName(name)) {
                throw new ConfigException(key, name, "names of " + (key.equals("methods") ? "methods" : "fields"));
            }
            if (name.equals("*") && credentials) {
                throw new ConfigException(key, name, "a list, as credentials are allowed: * is no wildcard then");
            }
        }
        return names;
    }

    /**
     * The origin that a request names, in small letters; null if it names none, or several: nobody could say which of them
     * a browser has vouched for.
     */
    static @Nullable String originOf(Headers request) {
        List<String> given = request.getAll("origin");
        return given.size() == 1 ? given.get(0).toLowerCase(Locale.ROOT) : null;
    }

    /** Whether pages of {@code origin} may read answers. @param origin in small letters */
    boolean allows(String origin) {
        if (anyone || origins.contains(origin)) {
            return true;
        }
        for (Wildcard wildcard : wildcards) {
            if (wildcard.matches(origin)) {
                return true;
            }
        }
        return false;
    }

    /**
     * All names below one.
     *
     * @param scheme with its {@code ://}
     * @param below the name with a dot in front, and the port if there is one
     */
    record Wildcard(String scheme, String below) {
        static List<Wildcard> of(List<String> origins) {
            return origins.stream()
                    .map(ORIGIN::matcher)
                    .filter(parts -> parts.matches() && parts.group(2) != null)
                    .map(parts -> new Wildcard(
                            parts.group(1), "." + parts.group(3) + (parts.group(4) == null ? "" : parts.group(4))))
                    .toList();
        }

        boolean matches(String origin) {
            int end = origin.length() - below.length();
            if (end <= scheme.length() || !origin.startsWith(scheme) || !origin.endsWith(below)) {
                return false;
            }
            // What the star stands for is a part of a name: neither a port nor somebody else's authority.
            for (int i = scheme.length(); i < end; i++) {
                char c = origin.charAt(i);
                boolean ofName = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_' || c == '.';
                if (!ofName) {
                    return false;
                }
            }
            return true;
        }
    }

    /** Says what both a preflight and the answer itself have to say. @param origin null if the request has none */
    void grant(Headers to, @Nullable String origin) {
        if (!anyone) {
            vary(to);
        }
        if (origin != null && allows(origin)) {
            to.set("access-control-allow-origin", anyone ? "*" : origin);
            if (credentials) {
                to.set("access-control-allow-credentials", "true");
            }
        } else if (anyone) {
            to.set("access-control-allow-origin", "*");
        }
    }

    /** A cache must not give one origin's answer to another; that holds for answers to no origin, too. */
    private static void vary(Headers to) {
        boolean said = to.getAll("vary").stream()
                .flatMap(value -> COMMA.splitAsStream(value))
                .anyMatch(name ->
                        name.trim().equalsIgnoreCase("origin") || name.trim().equals("*"));
        if (!said) {
            to.add("vary", "Origin");
        }
    }
}
