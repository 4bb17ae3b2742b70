package dev.lychgate.cache;

/**
 * The key of stored responses.
 *
 * @param text identifies the settings of the route, the target URI and the configured parts of the request; see {@link KeyMaker}
 * @param target the host and the path; unsafe methods and purges invalidate the responses of all routes that have this
 *     target
 */
record CacheKey(String text, String target) {
    /** Returns all parts of the key as one line, for operators. */
    String shown() {
        return text.substring(text.indexOf(' ') + 1).replace("\n=", "=").replace("\n", ", ");
    }

    /** Returns the URI, which is the first part of the key, without the other parts of the key. */
    String uri() {
        int from = text.indexOf(' ') + 1;
        int end = text.indexOf('\n', from);
        return end < 0 ? text.substring(from) : text.substring(from, end);
    }
}
