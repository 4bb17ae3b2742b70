package dev.lychgate.http;

import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The head of a request. The head is decoded from the wire, read and changed by filters and routes, and encoded for the
 * origin. Mutable, owned by its exchange, and used only on that exchange's event loop.
 *
 * <p>The target is stored in origin form and in parts:
 *
 * <ul>
 *   <li>{@link #host()}: the authority
 *   <li>{@link #path()}: the path that the listener has normalized
 *   <li>{@link #rawPath()}: the path as the client sent it
 *   <li>{@link #query()}: the unchanged query without the question mark
 * </ul>
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9112#section-3">RFC 9112, 3 Request Line</a>
 */
public final class RequestHead extends MessageHead {
    private final HttpMethod receivedMethod;
    private HttpMethod method;
    private final HttpVersion version;
    private final String rawPath;
    private String path;
    private @Nullable String query;
    private String host;
    private boolean mayHaveForwardingFields = true;
    private @Nullable String protocol;
    /**
     * The names of the fields that filters have set or removed; null if no names are recorded. Names are recorded only
     * if trailers may follow.
     */
    private @Nullable List<String> filtered;

    /**
     * Creates the head of an HTTP/1 request.
     *
     * @param http10 true for HTTP/1.0, false for HTTP/1.1
     */
    public RequestHead(
            HttpMethod method, boolean http10, String path, @Nullable String query, String host, HttpHeaders headers) {
        this(method, http10 ? HttpVersion.HTTP_1_0 : HttpVersion.HTTP_1_1, path, query, host, headers);
    }

    /**
     * @param method the request method
     * @param version the client's HTTP version
     * @param path the path as received, beginning with {@code /}, or {@code *}
     * @param query the text after the question mark; null if there is no question mark
     * @param host the authority as received ({@code name[:port]}), or empty
     * @param headers the fields, with case-insensitive names
     */
    public RequestHead(
            HttpMethod method,
            HttpVersion version,
            String path,
            @Nullable String query,
            String host,
            HttpHeaders headers) {
        super(headers);
        this.receivedMethod = method;
        this.method = method;
        this.version = version;
        this.rawPath = path;
        this.path = path;
        this.query = query;
        this.host = host;
    }

    /** Returns a copy of this head. Changes to the header fields of the copy do not affect this head. */
    public RequestHead copy() {
        RequestHead copy = new RequestHead(
                receivedMethod, version, rawPath, query, host, headers().copy());
        copy.method = method;
        copy.path = path;
        copy.mayHaveForwardingFields = mayHaveForwardingFields;
        copy.protocol = protocol;
        copy.frame(framing(), contentLength());
        copy.size(size());
        return copy;
    }

    /**
     * Returns the method as received, without changes by filters. This method determines the framing of the response to
     * the client.
     */
    public HttpMethod receivedMethod() {
        return receivedMethod;
    }

    /**
     * Returns the method that routes match and that the origin receives. This method determines the framing of the
     * origin's response.
     */
    public HttpMethod method() {
        return method;
    }

    public void method(HttpMethod changed) {
        this.method = changed;
    }

    /**
     * Returns whether the client uses HTTP/1.0. The version that is used with the origin does not depend on the
     * client's version.
     */
    public boolean isHttp10() {
        return version == HttpVersion.HTTP_1_0;
    }

    /** Returns the client's HTTP version. */
    public HttpVersion version() {
        return version;
    }

    /** Returns the path that routes match. Origins receive this path, unless the route forwards the raw path. */
    public String path() {
        return path;
    }

    /** Replaces the path; {@code normal} begins with {@code /} and is already in normal form. */
    public void path(String normal) {
        this.path = normal;
    }

    /** Returns the path as the client sent it. */
    public String rawPath() {
        return rawPath;
    }

    /** Returns the bytes after the question mark; null if there is no question mark. */
    public @Nullable String query() {
        return query;
    }

    public void query(@Nullable String changed) {
        this.query = changed;
    }

    /** Returns the authority, {@code name[:port]}; empty if the request has no authority. */
    public String host() {
        return host;
    }

    public void host(String changed) {
        this.host = changed;
    }

    /**
     * Returns whether the head may contain fields that only a proxy may set. Returns false only if the decoder has
     * found no such field.
     */
    public boolean mayHaveForwardingFields() {
        return mayHaveForwardingFields;
    }

    public void mayHaveForwardingFields(boolean may) {
        this.mayHaveForwardingFields = may;
    }

    /** Records that a filter has set or removed the field {@code name}. */
    public void filtered(String name) {
        boolean noTrailers =
                framing() == BodyFraming.NONE || (framing() == BodyFraming.LENGTH && version != HttpVersion.HTTP_2);
        if (!noTrailers) {
            List<String> names = filtered == null ? new ArrayList<>() : filtered;
            names.add(name);
            filtered = names;
        }
    }

    /**
     * Removes the client's trailers that have the name of a field that a filter has set or removed, in any spelling
     * that {@link FieldNames} recognizes. Otherwise, an origin that merges trailers into its header section would trust
     * the client's values.
     *
     * @see <a href="https://www.rfc-editor.org/rfc/rfc9110#section-6.5.1">RFC 9110, 6.5.1 Limitations on Use of
     *     Trailers</a>
     */
    public void stripFiltered(HttpHeaders trailers) {
        List<String> names = filtered;
        if (names != null && !trailers.isEmpty()) {
            Set<String> folded = names.stream().map(FieldNames::fold).collect(Collectors.toSet());
            FieldNames.removeIf(trailers, name -> folded.contains(FieldNames.fold(name)));
        }
    }

    /**
     * Returns the protocol to which the client requests a switch, such as {@link WebSocket#PROTOCOL}; null if the
     * client requests no switch, as in almost all requests. Codecs process the wire form of the switch (Upgrade, or an
     * extended CONNECT), so the header fields do not contain the protocol.
     */
    public @Nullable String protocol() {
        return protocol;
    }

    public void protocol(String asked) {
        this.protocol = asked;
    }
}
