package dev.lychgate.filter;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The response, as outbound filters see and change it before any part of it is sent. Getters and setters are properties
 * in Groovy: {@code response.status = 404}.
 */
public interface FilterResponse extends FilterMessage {
    /** Returns the status: 200 to 599, or 101 for an accepted WebSocket handshake. */
    int getStatus();

    /**
     * Sets the status.
     *
     * @param status 200 to 599; 204 and 304 discard the body
     * @throws IllegalArgumentException if the status is out of range
     */
    void setStatus(int status);

    /**
     * Returns the declared length of the received body in bytes; -1 if no length is declared. In a response to HEAD,
     * this is the length that the body would have in a response to GET. The gateway writes Content-Length, so filters
     * cannot set it through {@link #getHeaders()}.
     */
    default long getContentLength() {
        return -1;
    }

    /**
     * Adds a Set-Cookie header.
     *
     * @param attributes the attributes to write after name and value, such as {@code Path=/; HttpOnly}; may be empty
     * @throws IllegalArgumentException if one of the parameters is malformed
     */
    void addCookie(String name, String value, String attributes);

    /**
     * Adds a cookie without attributes.
     *
     * @return the cookie, to which attributes may be added
     */
    ResponseCookie addCookie(String name, String value);

    /**
     * Returns the cookies of all Set-Cookie headers, in order, except cookies without a name. Changes to the cookies
     * change the response.
     */
    List<ResponseCookie> getCookies();

    /** Returns the first cookie that has this name; null if there is none. */
    @Nullable
    ResponseCookie cookie(String name);

    /** Removes all Set-Cookie headers of cookies that have this name. */
    void removeCookie(String name);
}
