package com.netflix.zuul.message.http;

import io.netty.handler.codec.http.cookie.Cookie;
import org.jspecify.annotations.Nullable;

/**
 * A response. After a filter has run, the gateway applies the changes of this object to the response of the exchange.
 */
public interface HttpResponseMessage extends HttpResponseInfo {
    void setStatus(int status);

    /** Returns the request as filters have changed it. */
    HttpRequestMessage getOutboundRequest();

    /** Returns the response as the gateway received it. */
    HttpResponseInfo getInboundResponse();

    /**
     * Stores the current state of the response. After this call, {@link #getInboundResponse} returns the stored state.
     */
    void storeInboundResponse();

    /** Returns the cookies in a value of Set-Cookie. */
    Cookies parseSetCookieHeader(String value);

    boolean hasSetCookieWithName(String name);

    void addSetCookie(Cookie cookie);

    void setSetCookie(Cookie cookie);

    /**
     * Removes a cookie.
     *
     * @return whether the response had the cookie
     */
    boolean removeExistingSetCookie(@Nullable String name);

    @Override
    HttpResponseMessage clone();
}
