package dev.lychgate.cache;

/**
 * The key under which responses are stored.
 *
 * @param text identifies the settings of the route, the target URI and the configured parts of the request; see {@link
 *     KeyMaker}
 * @param target the host and the path. A request with an unsafe method invalidates the responses with its target, on
 *     all routes
 */
record CacheKey(String text, String target) {
    /** Describes all parts of the key in one line, for operators. */
    String shown() {
        return text.substring(text.indexOf(' ') + 1).replace("\n=", "=").replace("\n", ", ");
    }

    /** Returns the first part of the key, which is the URI. */
    String uri() {
        int from = text.indexOf(' ') + 1;
        int end = text.indexOf('\n', from);
        return end < 0 ? text.substring(from) : text.substring(from, end);
    }
}
