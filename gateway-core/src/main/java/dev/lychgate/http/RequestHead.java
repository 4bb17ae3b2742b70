package dev.lychgate.http;

import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import org.jspecify.annotations.Nullable;

/**
 * The head of a request: what a decoder reads from the wire, what filters and routes look at and change, and what an
 * encoder writes to the origin. Mutable, and owned by the exchange that it began; used on that exchange's event loop
 * only.
 *
 * <p>The target is kept in origin form, split once: {@link #path()} (in its normal form as soon as the listener has
 * looked at it), {@link #query()} (never touched, without the question mark), and {@link #rawPath()}, the path as the
 * client sent it. The authority is {@link #host()}.
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

    /** A request of HTTP/1. @param http10 true for HTTP/1.0, false for HTTP/1.1 */
    public RequestHead(
            HttpMethod method, boolean http10, String path, @Nullable String query, String host, HttpHeaders headers) {
        this(method, http10 ? HttpVersion.HTTP_1_0 : HttpVersion.HTTP_1_1, path, query, host, headers);
    }

    /**
     * @param method the request method
     * @param version what the client speaks
     * @param path the path as received, beginning with {@code /}, or {@code *}
     * @param query what stood behind the question mark, or null where there was none
     * @param host the authority as received ({@code name[:port]}), empty if there was none
     * @param headers the fields, names matched without regard to case
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

    /** The method as the client sent it, whatever filters have made of it: it decides how the answer to it is framed. */
    public HttpMethod receivedMethod() {
        return receivedMethod;
    }

    /** The method that routes match and the origin is asked with; it decides how the origin's answer is read. */
    public HttpMethod method() {
        return method;
    }

    public void method(HttpMethod changed) {
        this.method = changed;
    }

    /** Whether the client spoke HTTP/1.0; the version of what we send on is our own. */
    public boolean isHttp10() {
        return version == HttpVersion.HTTP_1_0;
    }

    /** What the client speaks. */
    public HttpVersion version() {
        return version;
    }

    /** The path in the form that routes match and origins get, unless the route forwards it raw. */
    public String path() {
        return path;
    }

    /** Replaces the path; {@code normal} begins with {@code /} and is already in normal form. */
    public void path(String normal) {
        this.path = normal;
    }

    /** The path as the client sent it. */
    public String rawPath() {
        return rawPath;
    }

    /** What stands behind the question mark, byte for byte; null where there is no question mark. */
    public @Nullable String query() {
        return query;
    }

    public void query(@Nullable String changed) {
        this.query = changed;
    }

    /** The authority, {@code name[:port]}; empty if the request has none. */
    public String host() {
        return host;
    }

    public void host(String changed) {
        this.host = changed;
    }

    /** Whether the client may have sent fields that only a proxy may set; false where a decoder knows that there are none. */
    public boolean mayHaveForwardingFields() {
        return mayHaveForwardingFields;
    }

    public void mayHaveForwardingFields(boolean may) {
        this.mayHaveForwardingFields = may;
    }

    /**
     * The protocol that the client asks to go on with: {@link WebSocket#PROTOCOL}, or null, as almost always. What asks for it
     * on the wire (Upgrade, or an extended CONNECT) is the codec's matter and not among the fields.
     */
    public @Nullable String protocol() {
        return protocol;
    }

    public void protocol(String asked) {
        this.protocol = asked;
    }
}
