package com.netflix.zuul.message.http;

import com.netflix.zuul.context.SessionContext;
import com.netflix.zuul.message.Headers;
import com.netflix.zuul.message.ZuulMessageImpl;
import io.netty.handler.codec.http.cookie.ClientCookieDecoder;
import io.netty.handler.codec.http.cookie.Cookie;
import io.netty.handler.codec.http.cookie.ServerCookieEncoder;
import org.jspecify.annotations.Nullable;

/** A response in memory. */
public class HttpResponseMessageImpl extends ZuulMessageImpl implements HttpResponseMessage {
    private final HttpRequestMessage request;
    private int status;
    private @Nullable HttpResponseInfo inbound;

    public HttpResponseMessageImpl(SessionContext context, HttpRequestMessage request, int status) {
        this(context, new Headers(), request, status);
    }

    public HttpResponseMessageImpl(SessionContext context, Headers headers, HttpRequestMessage request, int status) {
        super(context, headers);
        this.request = request;
        this.status = status;
    }

    /** Returns a response with the status 500 and no body. */
    public static HttpResponseMessage defaultErrorResponse(HttpRequestMessage request) {
        return new HttpResponseMessageImpl(request.getContext(), request, 500);
    }

    @Override
    public int getStatus() {
        return status;
    }

    @Override
    public void setStatus(int value) {
        status = value;
    }

    @Override
    public HttpRequestInfo getInboundRequest() {
        return request.getInboundRequest();
    }

    @Override
    public HttpRequestMessage getOutboundRequest() {
        return request;
    }

    @Override
    public HttpResponseInfo getInboundResponse() {
        return inbound == null ? this : inbound;
    }

    @Override
    public void storeInboundResponse() {
        inbound = copy(getHeaders().immutableCopy());
    }

    @Override
    public Cookies parseSetCookieHeader(String value) {
        Cookies cookies = new Cookies();
        Cookie cookie = ClientCookieDecoder.LAX.decode(value);
        if (cookie != null) {
            cookies.add(cookie);
        }
        return cookies;
    }

    private static boolean isNamed(String field, @Nullable String name) {
        Cookie cookie = ClientCookieDecoder.LAX.decode(field);
        return cookie != null && cookie.name().equals(name);
    }

    @Override
    public boolean hasSetCookieWithName(String name) {
        return getHeaders().getAll(HttpHeaderNames.SET_COOKIE).stream().anyMatch(field -> isNamed(field, name));
    }

    @Override
    public boolean removeExistingSetCookie(@Nullable String name) {
        return getHeaders()
                .removeIf(header ->
                        header.getKey().equals(HttpHeaderNames.SET_COOKIE) && isNamed(header.getValue(), name));
    }

    @Override
    public void addSetCookie(Cookie cookie) {
        getHeaders().add(HttpHeaderNames.SET_COOKIE, ServerCookieEncoder.LAX.encode(cookie));
    }

    @Override
    public void setSetCookie(Cookie cookie) {
        getHeaders().set(HttpHeaderNames.SET_COOKIE, ServerCookieEncoder.LAX.encode(cookie));
    }

    private HttpResponseMessageImpl copy(Headers headers) {
        HttpResponseMessageImpl copy = new HttpResponseMessageImpl(getContext(), headers, request, status);
        copyTo(copy);
        return copy;
    }

    @Override
    @SuppressWarnings("MissingSuperCall")
    public HttpResponseMessage clone() {
        HttpResponseMessageImpl copy = copy(Headers.copyOf(getHeaders()));
        copy.inbound = inbound;
        return copy;
    }

    @Override
    public String getInfoForLogging() {
        return getInboundRequest().getInfoForLogging() + ", proxy-status=" + status;
    }

    @Override
    public String toString() {
        return "response with status " + status;
    }
}
