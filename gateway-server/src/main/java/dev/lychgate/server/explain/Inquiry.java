package dev.lychgate.server.explain;

import dev.lychgate.config.MatchConfig.Scheme;
import dev.lychgate.http.FieldSyntax;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A hypothetical request.
 *
 * @param method the method in upper case
 * @param host the authority of the URL; {@code localhost} if the URL has no authority
 * @param path the path as a client would send it, beginning with a slash
 * @param query the query without the question mark; null for none
 * @param fields the headers other than Host
 * @param client address of the client
 * @param scheme the client's scheme; null for the scheme of the listener
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

    /**
     * Returns a copy of this request with an additional header.
     *
     * @throws IllegalArgumentException if the header is malformed; the message states the expected form
     */
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

    /** Returns this request with another client address. */
    public Inquiry from(InetAddress other) {
        return new Inquiry(method, host, path, query, fields, other, scheme);
    }

    /**
     * Parses a URL or a path. This method splits the text but does not validate the parts, so that malformed requests
     * can also be explained.
     *
     * @throws IllegalArgumentException if the method or the URL is malformed; the message states the expected form
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
            throw new IllegalArgumentException("a host after http:// or https://");
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
