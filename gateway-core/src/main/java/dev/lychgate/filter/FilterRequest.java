package dev.lychgate.filter;

import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The request, as filters see and change it. Inbound and endpoint filters may change the request. Changes in later
 * phases fail with an {@link IllegalStateException}. Getters and setters are properties in Groovy:
 * {@code request.path = '/new'}.
 */
public interface FilterRequest extends FilterMessage {
    /** Returns the method. */
    String getMethod();

    /**
     * Sets the method for routing and for the origin. The response to the client still follows the rules of the method
     * that the client sent. A client that sent HEAD receives no body. If the client sent another method and the origin
     * received HEAD, the body is empty.
     *
     * @throws IllegalArgumentException if the method is not a token, or is CONNECT
     * @throws IllegalStateException if the request is a WebSocket handshake
     */
    void setMethod(String method);

    /**
     * Returns whether the request is a WebSocket handshake. Inbound filters run for a handshake as for any request.
     * Outbound filters receive an accepted handshake as a response with status 101, and may change its headers. Filters
     * do not receive frames.
     */
    default boolean isWebSocket() {
        return false;
    }

    /** Returns the normalized path, without the query. Routes match this path, and origins receive it. */
    String getPath();

    /**
     * Sets the path.
     *
     * @param path begins with {@code /}; the gateway normalizes it
     * @throws IllegalArgumentException if the path is malformed
     */
    void setPath(String path);

    /** Returns the path as received. */
    String getRawPath();

    /** Returns the query without the question mark, encoded as received; null if there is none. */
    @Nullable
    String getQuery();

    /**
     * Sets the query.
     *
     * @param query encoded, without the question mark; null to remove the query
     * @throws IllegalArgumentException if the query is malformed
     */
    void setQuery(@Nullable String query);

    /** Returns the first value of a query parameter, decoded; null if the parameter is missing. */
    @Nullable
    String queryParameter(String name);

    /** Returns all values of a query parameter, decoded. */
    List<String> queryParameters(String name);

    /** Returns an immutable copy of all query parameters, decoded, in the order of their first values. */
    Map<String, List<String>> getQueryParameters();

    /** Replaces all values of a query parameter with one value, see {@link #setQueryParameters}. */
    default void setQueryParameter(String name, String value) {
        setQueryParameters(name, List.of(value));
    }

    /**
     * Replaces all values of a query parameter. The new values take the position of the first previous value. If there
     * was no previous value, the new values follow all other parameters. The bytes of other parameters do not change.
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
     * Returns the scheme of the client's request, {@code http} or {@code https}: the scheme of the client's connection,
     * or the scheme that a trusted proxy states in {@code X-Forwarded-Proto}.
     */
    default String getScheme() {
        return "http";
    }

    /** Returns the protocol of the request: {@code HTTP/1.0}, {@code HTTP/1.1} or {@code HTTP/2.0}. */
    default String getProtocol() {
        return "HTTP/1.1";
    }

    /** Returns the requested host, {@code name[:port]}; empty if the request has none. */
    String getHost();

    /** Returns the port of {@link #getHost()}. If the host has no port: 443 for {@code https}, 80 for {@code http}. */
    default int getPort() {
        String host = getHost();
        int colon = host.lastIndexOf(':');
        // Colons within brackets belong to an IPv6 address.
        return colon > host.lastIndexOf(']') && colon < host.length() - 1
                ? Integer.parseInt(host.substring(colon + 1))
                : getScheme().equals("https") ? 443 : 80;
    }

    /**
     * Sets the host.
     *
     * @throws IllegalArgumentException if the value is not a host with an optional port
     */
    void setHost(String host);

    /** Returns the value of a cookie; null if the cookie is missing. */
    @Nullable
    String cookie(String name);

    /**
     * Returns an immutable copy of all cookies by name, in order. Of several cookies with the same name, the copy
     * contains only the first.
     */
    Map<String, String> getCookies();

    /**
     * Replaces all cookies that have this name with a single cookie, and keeps the bytes of the other cookies.
     *
     * @throws IllegalArgumentException if name or value is malformed
     */
    void setCookie(String name, String value);

    /** Removes all cookies that have this name, and keeps the bytes of the other cookies. */
    void removeCookie(String name);

    /**
     * Returns the declared length of the received body in bytes: 0 if there is no body, -1 if no length is declared.
     * The gateway writes Content-Length, so {@link #getHeaders()} does not contain it.
     */
    default long getContentLength() {
        return -1;
    }

    /**
     * Parses the complete body as a form (application/x-www-form-urlencoded). Returns its fields, decoded, in the order
     * of their first values.
     *
     * @throws BodyRefusal with status 400 if the body is not a form of this type; with status 413 if the form has more
     *     than 1,000 fields
     * @throws IllegalStateException if the filter does not declare the need for the body
     */
    Map<String, List<String>> getForm();

    /** Calls {@link #eachPart(MultipartLimits, Consumer)} with {@link MultipartLimits#DEFAULT}. */
    default void eachPart(Consumer<? super BodyPart> action) {
        eachPart(MultipartLimits.DEFAULT, action);
    }

    /**
     * Calls {@code action} for each part of a multipart/form-data body, as soon as the header of the part is complete.
     * The action runs on the event loop while the body streams. It may drop the part, and transform or read the content
     * of the part. It must not block and cannot use the exchange. An exception aborts the exchange.
     *
     * <p>A malformed body is rejected with 400, and a body that exceeds the limits with 413. In both cases, the origin
     * may already have received the beginning of the body.
     *
     * @throws BodyRefusal if the body is not multipart/form-data, has a content coding, or is otherwise unreadable; the
     *     client gets 400
     */
    void eachPart(MultipartLimits limits, Consumer<? super BodyPart> action);

    /**
     * Replaces the body with a form and sets Content-Type.
     *
     * @param fields a value, or an iterable of values, for each name
     */
    void setForm(Map<String, ?> fields);
}
