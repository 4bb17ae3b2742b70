package dev.lychgate.filter;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The request, as filters see and change it. Inbound and endpoint filters may change everything; what is changed later
 * changes nothing any more, and is refused with an {@link IllegalStateException}. Has the accessors that Groovy takes for
 * properties: {@code request.path = '/new'}.
 */
public interface FilterRequest extends FilterMessage {
    String getMethod();

    /**
     * Routes match the method, and the origin is asked with it. The client is answered by the one that it has sent: with no
     * body to a HEAD, whatever the origin was asked with, and with an empty one if that was HEAD and its own was not.
     *
     * @throws IllegalArgumentException if it is not a token, or is CONNECT
     */
    void setMethod(String method);

    /**
     * Whether the client asks for a WebSocket. Inbound filters see such a handshake as any request, and outbound filters the
     * answer that grants it as one with status 101, whose fields they may change; nobody sees what goes on after that.
     */
    default boolean isWebSocket() {
        return false;
    }

    /** The path in its normal form, without the query; routes match it, origins get it. */
    String getPath();

    /** @param path begins with {@code /}; put into normal form. @throws IllegalArgumentException if it is not a path */
    void setPath(String path);

    /** The path as the client sent it. */
    String getRawPath();

    /** What stands behind the question mark, encoded as it was sent; null if there is none. */
    @Nullable
    String getQuery();

    /** @param query encoded, without the question mark; null for none. @throws IllegalArgumentException if not a query */
    void setQuery(@Nullable String query);

    /** The first value of a query parameter, decoded; null if there is none. */
    @Nullable
    String queryParameter(String name);

    /** All values of a query parameter, decoded. */
    List<String> queryParameters(String name);

    /** All query parameters, decoded, in the order of their first values; a copy. */
    Map<String, List<String>> getQueryParameters();

    /** Replaces all values of a query parameter by one, in the place of the first. The bytes of the others stay. */
    default void setQueryParameter(String name, String value) {
        setQueryParameters(name, List.of(value));
    }

    /**
     * Replaces all values of a query parameter, in the place of the first, or else at the end. The bytes of the others stay.
     *
     * @param name decoded, not empty
     * @param values decoded; empty removes the parameter
     */
    void setQueryParameters(String name, List<String> values);

    /** Removes all values of a query parameter. */
    default void removeQueryParameter(String name) {
        setQueryParameters(name, List.of());
    }

    /**
     * The scheme that the client used, {@code http} or {@code https}: that of its connection, or as a trusted proxy states it
     * by {@code X-Forwarded-Proto}.
     */
    default String getScheme() {
        return "http";
    }

    /** The protocol of the client's request: {@code HTTP/1.0}, {@code HTTP/1.1} or {@code HTTP/2.0}. */
    default String getProtocol() {
        return "HTTP/1.1";
    }

    /** Name and port the request is for, {@code name[:port]}; empty if it has none. */
    String getHost();

    /** The port of {@link #getHost()}; without one, 443 for {@code https} and 80 for {@code http}. */
    default int getPort() {
        String host = getHost();
        int colon = host.lastIndexOf(':');
        // Within brackets stands an IPv6 address.
        return colon > host.lastIndexOf(']') && colon < host.length() - 1
                ? Integer.parseInt(host.substring(colon + 1))
                : getScheme().equals("https") ? 443 : 80;
    }

    /** @throws IllegalArgumentException if it is not a host with or without a port */
    void setHost(String host);

    /** The value of a cookie; null if there is none of that name. */
    @Nullable
    String cookie(String name);

    /** All cookies, by name, in order; of several of one name the first. */
    Map<String, String> getCookies();

    /** Sets one cookie among the others. @throws IllegalArgumentException if name or value can't be sent */
    void setCookie(String name, String value);

    void removeCookie(String name);

    /**
     * How long the body is that the client sends, in bytes: 0 if it sends none, -1 if it does not say. Content-Length itself
     * is none of {@link #getHeaders()}: the gateway writes it.
     */
    default long getContentLength() {
        return -1;
    }
}
