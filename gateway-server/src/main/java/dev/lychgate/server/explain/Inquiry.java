package dev.lychgate.server.explain;

import dev.lychgate.config.MatchConfig.Scheme;
import dev.lychgate.http.FieldSyntax;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A request that is only thought of.
 *
 * @param method in capitals
 * @param host the authority, {@code localhost} if the URL names none
 * @param path as a client would send it, beginning with a slash
 * @param query without the question mark; null = none
 * @param fields its header fields beside Host
 * @param client where it comes from
 * @param scheme how the client sends it; null = as the listener accepts it
 */
public record Inquiry(
        String method,
        String host,
        String path,
        @Nullable String query,
        List<Map.Entry<String, String>> fields,
        InetAddress client,
        @Nullable Scheme scheme) {
    public Inquiry {
        fields = List.copyOf(fields);
    }

    /** This request with a header field more. @throws IllegalArgumentException with what was expected */
    public Inquiry with(String name, String value) {
        if (!FieldSyntax.isName(name) || !value.chars().allMatch(c -> c >= 0x20 && c != 0x7f && c <= 0xff)) {
            throw new IllegalArgumentException("a header field such as x-beta:yes");
        }
        if (name.equalsIgnoreCase("host")) {
            throw new IllegalArgumentException("the host as a part of the URL");
        }
        List<Map.Entry<String, String>> more = new ArrayList<>(fields);
        more.add(Map.entry(name, value));
        return new Inquiry(method, host, path, query, more, client, scheme);
    }

    /** This request from somewhere else. */
    public Inquiry from(InetAddress other) {
        return new Inquiry(method, host, path, query, fields, other, scheme);
    }

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
        Scheme scheme = null;
        if (url.startsWith("http://") || url.startsWith("https://")) {
            int from = url.indexOf("://") + 3;
            int to = from;
            while (to < url.length() && "/?#".indexOf(url.charAt(to)) < 0) {
                to++;
            }
            host = url.substring(from, to);
            rest = url.substring(to);
            scheme = url.startsWith("https:") ? Scheme.HTTPS : Scheme.HTTP;
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
        return new Inquiry(
                method, host, path.isEmpty() ? "/" : path, query, List.of(), InetAddress.getLoopbackAddress(), scheme);
    }
}
