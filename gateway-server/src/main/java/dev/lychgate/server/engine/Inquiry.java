package dev.lychgate.server.engine;

import dev.lychgate.http.FieldSyntax;
import org.jspecify.annotations.Nullable;

/**
 * A request that is only thought of.
 *
 * @param method in capitals
 * @param host the authority, {@code localhost} if the URL names none
 * @param path as a client would send it, beginning with a slash
 * @param query without the question mark; null = none
 */
public record Inquiry(
        String method, String host, String path, @Nullable String query) {
    /**
     * Reads a URL or a path. It is only cut into parts: what an exacting parser would refuse is what one wants to ask
     * about.
     *
     * @throws IllegalArgumentException with what was expected
     */
    public static Inquiry parse(String method, String url) {
        if (!FieldSyntax.isName(method)) {
            throw new IllegalArgumentException("a method such as GET");
        }
        String host = "localhost";
        String rest = url;
        if (url.startsWith("http://") || url.startsWith("https://")) {
            int from = url.indexOf("://") + 3;
            int to = from;
            while (to < url.length() && "/?#".indexOf(url.charAt(to)) < 0) {
                to++;
            }
            host = url.substring(from, to);
            rest = url.substring(to);
        } else if (!url.startsWith("/")) {
            throw new IllegalArgumentException("a path that begins with /, or a URL that begins with http://");
        }
        if (host.isEmpty()) {
            throw new IllegalArgumentException("a host behind http://");
        }
        int fragment = rest.indexOf('#');
        rest = fragment < 0 ? rest : rest.substring(0, fragment);
        int mark = rest.indexOf('?');
        String path = mark < 0 ? rest : rest.substring(0, mark);
        String query = mark < 0 ? null : rest.substring(mark + 1);
        return new Inquiry(method, host, path.isEmpty() ? "/" : path, query);
    }
}
