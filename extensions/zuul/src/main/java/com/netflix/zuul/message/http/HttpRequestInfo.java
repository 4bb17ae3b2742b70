package com.netflix.zuul.message.http;

import com.netflix.zuul.message.ZuulMessage;
import org.jspecify.annotations.Nullable;

/** A request that is read. */
public interface HttpRequestInfo extends ZuulMessage {
    String getProtocol();

    String getMethod();

    String getPath();

    HttpQueryParams getQueryParams();

    String getPathAndQuery();

    String getClientIp();

    String getScheme();

    int getPort();

    String getServerName();

    /** Returns the name in X-Forwarded-Host, otherwise in Host. */
    @Nullable
    String getOriginalHost();

    /** Returns the scheme in X-Forwarded-Proto, otherwise the scheme of the connection. */
    String getOriginalScheme();

    String getOriginalProtocol();

    int getOriginalPort();

    /** Returns the URL of the request, as the client knows it. */
    String reconstructURI();

    Cookies parseCookies();

    /** Returns whether filters can change the request. */
    boolean isMutable();
}
