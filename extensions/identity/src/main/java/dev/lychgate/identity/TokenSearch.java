package dev.lychgate.identity;

import dev.lychgate.filter.FilterExchange;
import dev.lychgate.filter.FilterRequest;
import dev.lychgate.filter.Headers;
import dev.lychgate.http.FieldNames;
import dev.lychgate.http.FieldSyntax;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Searches requests for tokens, and removes tokens from queries, because origins log queries.
 *
 * @param places the parts of a request that are searched
 * @see <a href="https://www.rfc-editor.org/rfc/rfc6750#section-2">RFC 6750, 2 Authenticated Requests</a>
 */
record TokenSearch(List<TokenPlace> places) {
    private static final String SCHEME = "bearer ";

    /** Returns all tokens of a request. The caller must reject a request with several tokens. */
    List<String> tokens(FilterExchange exchange) {
        FilterRequest request = exchange.getRequest();
        List<String> found = new ArrayList<>(1);
        for (TokenPlace place : places) {
            switch (place.kind()) {
                case BEARER -> bearer(request).forEach(found::add);
                case HEADER -> field(request.getHeaders(), place.name()).forEach(value -> found.add(value.strip()));
                case COOKIE -> found.addAll(cookies(request, place.name()));
                case QUERY -> found.addAll(removed(exchange, place));
            }
        }
        return found;
    }

    /**
     * Returns the values of a field. Also removes fields and trailers with other spellings of the name, for example
     * with underscores. The token in such a field is not verified, but an origin may treat the field like the field
     * {@code name}.
     */
    private static List<String> field(Headers headers, String name) {
        List<String> values = headers.getAll(name);
        String folded = FieldNames.fold(name);
        headers.getNames().stream()
                .filter(other -> !other.equalsIgnoreCase(name) && FieldNames.isAlike(other, folded))
                .filter(FieldSyntax::isSettable)
                .forEach(headers::remove);
        // Removing a field also removes the trailers with its name.
        headers.remove(name);
        values.forEach(value -> headers.add(name, value));
        return values;
    }

    /**
     * Returns the values of a query parameter, and removes the parameter from the request. If an earlier authenticator
     * has removed the parameter, returns the values that it had.
     */
    private static List<String> removed(FilterExchange exchange, TokenPlace place) {
        FilterRequest request = exchange.getRequest();
        List<String> values = request.queryParameters(place.name());
        String kept = TokenSearch.class.getName() + " " + place.name();
        if (!values.isEmpty()) {
            request.removeQueryParameter(place.name());
            exchange.putAt(kept, values);
            return values;
        }
        return exchange.getAt(kept) instanceof List<?> earlier
                ? earlier.stream().map(String::valueOf).toList()
                : List.of();
    }

    private static Stream<String> bearer(FilterRequest request) {
        List<String> fields = request.getHeaders().getAll("authorization");
        // A single field with another scheme is ignored, because another authenticator may be responsible for it.
        // Several fields are always malformed.
        return fields.stream()
                .filter(field -> fields.size() > 1 || field.regionMatches(true, 0, SCHEME, 0, SCHEME.length()))
                .map(field -> field.substring(Math.min(field.length(), SCHEME.length()))
                        .strip());
    }

    private static List<String> cookies(FilterRequest request, String name) {
        List<String> all = RequestCookies.values(request, name);
        // Several cookies with this name are refused, because an attacker on a sibling domain may have set one of them.
        return all.size() == 1 ? List.of(String.valueOf(request.cookie(name))) : all;
    }
}
