package dev.lychgate.oidc;

import dev.lychgate.filter.FilterRequest;
import dev.lychgate.filter.Headers;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a request that a login needs, read on the event loop. Immutable.
 *
 * @param target the path as received, with the query
 * @param isNavigation whether the user opens a page, so that the browser can show the login page instead
 * @param isPartOfPage whether the browser loads a part of a page, such as an image or a frame, or loads a page in
 *     advance
 * @param site the header {@code Sec-Fetch-Site}; null if it is missing
 * @param origin the header {@code Origin}; null if it is missing
 */
record Visit(
        String method,
        String path,
        String target,
        @Nullable String query,
        String host,
        Map<String, String> cookies,
        boolean isNavigation,
        boolean isPartOfPage,
        @Nullable String site,
        @Nullable String origin) {

    static Visit of(FilterRequest request) {
        Headers headers = request.getHeaders();
        String query = request.getQuery();
        return new Visit(
                request.getMethod(),
                request.getPath(),
                request.getRawPath() + (query == null ? "" : "?" + query),
                query,
                request.getHost(),
                request.getCookies(),
                request.getMethod().equals("GET") && !request.isWebSocket() && isNavigation(headers),
                (headers.contains("sec-fetch-mode") || headers.contains("sec-purpose")) && !isNavigation(headers),
                headers.get("sec-fetch-site"),
                headers.get("origin"));
    }

    /**
     * Returns whether the user opens a page. Returns false if the browser loads the page in advance. If a browser does
     * not send {@code Sec-Fetch-Mode}, a request for HTML counts as the opening of a page.
     */
    private static boolean isNavigation(Headers headers) {
        if (headers.contains("sec-purpose")) {
            return false;
        }
        String mode = headers.get("sec-fetch-mode");
        return mode == null
                ? headers.getAll("accept").stream().anyMatch(value -> value.contains("text/html"))
                : mode.equals("navigate")
                        && Objects.requireNonNullElse(headers.get("sec-fetch-dest"), "document")
                                .equals("document");
    }

    boolean isGet() {
        return method.equals("GET");
    }

    boolean isPost() {
        return method.equals("POST");
    }

    Set<String> cookieNames() {
        return cookies.keySet();
    }

    /**
     * Returns whether another site has caused the request.
     *
     * @param origins the origins of this site
     */
    boolean isForeign(Set<String> origins) {
        if (site != null) {
            return !site.equals("same-origin") && !site.equals("none");
        }
        return origin != null && !origins.contains(origin);
    }
}
