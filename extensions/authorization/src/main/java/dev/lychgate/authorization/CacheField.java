package dev.lychgate.authorization;

import dev.lychgate.config.Form;
import dev.lychgate.config.IpLiteral;
import dev.lychgate.filter.FilterExchange;
import dev.lychgate.filter.FilterRequest;
import dev.lychgate.filter.Identity;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A part of a request that belongs to the cache key of a verdict.
 *
 * @param name the name of the header field or cookie; empty if the source is neither a header field nor a cookie
 */
record CacheField(Source source, String name) {
    /** The kinds of request parts that a cache key can include. */
    enum Source {
        METHOD,
        HOST,
        PATH,
        QUERY,
        SCHEME,
        CLIENT,
        ROUTE,
        SUBJECT,
        HEADER,
        COOKIE;

        boolean isNamed() {
            return this == HEADER || this == COOKIE;
        }

        String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private static final String EXPECTED =
            "method, host, path, query, scheme, client, route, subject, header:NAME or cookie:NAME";

    static final Form<CacheField> FORM = Form.text("field", CacheField::parse);

    private static CacheField parse(String text) {
        int colon = text.indexOf(':');
        String word = colon < 0 ? text : text.substring(0, colon);
        String name = colon < 0 ? "" : text.substring(colon + 1);
        for (Source source : Source.values()) {
            boolean fits = source.isNamed() ? name.matches("[!#$%&'*+.^_`|~0-9A-Za-z-]{1,128}") : colon < 0;
            if (source.label().equals(word) && fits) {
                return new CacheField(source, name);
            }
        }
        throw new IllegalArgumentException(EXPECTED);
    }

    @Override
    public String toString() {
        return source.isNamed() ? source.label() + ":" + name : source.label();
    }

    /** Returns the values of this part in an exchange; empty if the exchange lacks this part. */
    List<String> of(FilterExchange exchange) {
        FilterRequest request = exchange.getRequest();
        return switch (source) {
            case METHOD -> List.of(request.getMethod());
            case HOST -> List.of(request.getHost());
            case PATH -> List.of(request.getPath());
            case QUERY -> optional(request.getQuery());
            case SCHEME -> List.of(request.getScheme());
            case CLIENT -> List.of(IpLiteral.text(exchange.getClientAddress()));
            case ROUTE -> optional(exchange.getRoute());
            case SUBJECT -> subject(exchange.getIdentity());
            case HEADER -> request.getHeaders().getAll(name);
            case COOKIE -> cookies(request);
        };
    }

    /**
     * Returns the values of all cookies with this name, because a service may use a cookie other than the first cookie.
     */
    private List<String> cookies(FilterRequest request) {
        List<String> values = new ArrayList<>(1);
        for (String field : request.getHeaders().getAll("cookie")) {
            for (String pair : field.split(";", -1)) {
                int equals = pair.indexOf('=');
                if (equals > 0 && pair.substring(0, equals).strip().equals(name)) {
                    values.add(pair.substring(equals + 1).strip());
                }
            }
        }
        return values;
    }

    private static List<String> subject(@Nullable Identity identity) {
        return identity == null
                ? List.of()
                : List.of(identity.scheme(), String.valueOf(identity.issuer()), String.valueOf(identity.subject()));
    }

    private static List<String> optional(@Nullable String value) {
        return value == null ? List.of() : List.of(value);
    }
}
