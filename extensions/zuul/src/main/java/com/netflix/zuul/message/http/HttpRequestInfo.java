package com.netflix.zuul.message.http;

import com.netflix.zuul.message.ZuulMessage;
import org.jspecify.annotations.Nullable;

/** A request that filters can read. */
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

    /** Returns the host name in X-Forwarded-Host, or the host name in Host if X-Forwarded-Host is missing. */
    @Nullable
    String getOriginalHost();

    /** Returns the scheme in X-Forwarded-Proto, or the scheme of the connection if X-Forwarded-Proto is missing. */
    String getOriginalScheme();

    String getOriginalProtocol();

    int getOriginalPort();

    /** Returns the URL that the client has requested. */
    String reconstructURI();

    Cookies parseCookies();

    /** Returns whether filters can change the request. */
    boolean isMutable();
}
