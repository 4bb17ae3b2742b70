package dev.lychgate.filters.builtin;

import dev.lychgate.config.ConfigException;
import dev.lychgate.filter.AttributeKey;
import dev.lychgate.filter.Filter;
import dev.lychgate.filter.FilterExchange;
import dev.lychgate.filter.FilterOutcome;
import dev.lychgate.filter.FilterPhase;
import dev.lychgate.filter.Headers;
import dev.lychgate.http.FieldSyntax;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A CORS policy: which origins may read responses, and which requests their pages may send. The combination of {@code
 * *} with credentials is refused, because browsers do not accept it, and because it gives no protection.
 *
 * <p>The policy has two filters. The inbound filter responds to preflight requests, with 204 and the permissions, or
 * with 403. The outbound filter states in every response whether the requesting origin may read the response. The
 * headers of this filter replace the CORS headers of the origin server.
 *
 * <p>If several policies match a request, only one of them applies. For a preflight request, this is the policy that
 * responded; for any other request, it is the policy of the route.
 *
 * @param anyone whether {@code *} allows all origins
 * @param origins the allowed origins, in lower case, such as {@code https://app.example.com}
 * @param wildcards patterns of origins such as {@code https://*.example.com}, which match all names below a domain
 * @see <a href="https://fetch.spec.whatwg.org/#http-cors-protocol">Fetch, 3.3 CORS protocol</a>
 */
record Cors(
        boolean anyone,
        Set<String> origins,
        List<Pattern> wildcards,
        boolean credentials,
        List<String> methods,
        List<String> headers,
        List<String> expose,
        @Nullable Duration maxAge) {
    private static final String ALLOW_ORIGIN = "access-control-allow-origin";
    private static final String ALLOW_CREDENTIALS = "access-control-allow-credentials";
    private static final String EXPOSE = "access-control-expose-headers";
    private static final Pattern ORIGIN =
            Pattern.compile("([a-z][a-z0-9+.-]*://)(\\*\\.)?([a-z0-9._~-]+|\\[[0-9a-f:.]+])(:\\d{1,5})?");

    private static final AttributeKey<Cors> POLICY = AttributeKey.of("cors", Cors.class);

    /**
     * Creates the filters of a CORS policy.
     *
     * @throws ConfigException if the settings are malformed or contradict each other
     */
    static List<Filter> filters(Settings settings) {
        Cors policy = of(settings);
        return List.of(
                Builtin.respondingToPreflights(Cors::isPreflight, settings, policy::onPreflight),
                Builtin.when(policy::appliesTo, FilterPhase.OUTBOUND, settings, policy::onResponse));
    }

    private static Cors of(Settings settings) {
        List<String> origins = settings.texts("origins").stream()
                .map(origin -> origin.toLowerCase(Locale.ROOT))
                .toList();
        boolean credentials = settings.flag("credentials");
        boolean anyone = origins.equals(List.of("*"));
        if (origins.isEmpty()) {
            throw new ConfigException("origins", "[]", "at least one origin, or *");
        }
        if (anyone && credentials) {
            throw new ConfigException("origins", "*", "a list of origins, because credentials is true");
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
        return new Cors(
                anyone,
                Set.copyOf(origins),
                origins.stream()
                        .filter(origin -> origin.contains("://*."))
                        .map(Cors::wildcard)
                        .toList(),
                credentials,
                names(settings, "methods", credentials),
                names(settings, "headers", credentials),
                names(settings, "expose", credentials),
                age);
    }

    /**
     * Returns the pattern of an origin with a star. The star matches only characters of a host name, so it can match
     * neither a port nor another authority.
     */
    private static Pattern wildcard(String origin) {
        int star = origin.indexOf('*');
        return Pattern.compile(
                Pattern.quote(origin.substring(0, star)) + "[a-z0-9._-]+" + Pattern.quote(origin.substring(star + 1)));
    }

    private static List<String> names(Settings settings, String key, boolean credentials) {
        List<String> names = settings.texts(key);
        for (String name : names) {
            if (!FieldSyntax.isName(name)) {
                throw new ConfigException(key, name, "names of " + (key.equals("methods") ? "methods" : "fields"));
            }
            if (name.equals("*") && credentials) {
                throw new ConfigException(
                        key, name, "a list of names, because * is not a wildcard with credentials: true");
            }
        }
        return names;
    }

    /**
     * Returns the origin that a request names, in lower case; null if the request names no origin or several origins.
     */
    private static @Nullable String originOf(FilterExchange exchange) {
        List<String> given = exchange.getRequest().getHeaders().getAll("origin");
        return given.size() == 1 ? given.get(0).toLowerCase(Locale.ROOT) : null;
    }

    private boolean allows(@Nullable String origin) {
        return origin != null
                && (anyone
                        || origins.contains(origin)
                        || wildcards.stream()
                                .anyMatch(wildcard -> wildcard.matcher(origin).matches()));
    }

    /**
     * Returns whether the request is a CORS preflight.
     *
     * @see <a href="https://fetch.spec.whatwg.org/#cors-preflight-request">Fetch, CORS-preflight request</a>
     */
    private static boolean isPreflight(FilterExchange exchange) {
        Headers headers = exchange.getRequest().getHeaders();
        return exchange.getRequest().getMethod().equals("OPTIONS")
                && headers.contains("origin")
                && headers.contains("access-control-request-method");
    }

    private FilterOutcome onPreflight(FilterExchange exchange) {
        exchange.set(POLICY, this);
        if (!allows(originOf(exchange))) {
            return exchange.respond(403, "this origin is not allowed\n");
        }
        FilterOutcome.Respond response = exchange.respond(204);
        if (!methods.isEmpty()) {
            response.header("access-control-allow-methods", String.join(", ", methods));
        }
        if (!headers.isEmpty()) {
            response.header("access-control-allow-headers", String.join(", ", headers));
        }
        if (maxAge != null) {
            response.header("access-control-max-age", Long.toString(maxAge.toSeconds()));
        }
        return response;
    }

    private boolean appliesTo(FilterExchange exchange) {
        Cors chosen = exchange.get(POLICY);
        return chosen == null || chosen.equals(this);
    }

    private FilterOutcome onResponse(FilterExchange exchange) {
        exchange.set(POLICY, this);
        String origin = originOf(exchange);
        Headers to = exchange.getResponse().getHeaders();
        List.of(ALLOW_ORIGIN, ALLOW_CREDENTIALS, EXPOSE).forEach(to::remove);
        if (!anyone) {
            // If a cache has stored the response to a request from one origin, or to a request without an origin, it
            // must not use this response for a request from another origin.
            HeaderFilters.vary(to, "Origin");
        }
        if (anyone || allows(origin)) {
            to.set(ALLOW_ORIGIN, anyone ? "*" : String.valueOf(origin));
            if (credentials) {
                to.set(ALLOW_CREDENTIALS, "true");
            }
            if (!expose.isEmpty()) {
                to.set(EXPOSE, String.join(", ", expose));
            }
        }
        return exchange.proceed();
    }
}
