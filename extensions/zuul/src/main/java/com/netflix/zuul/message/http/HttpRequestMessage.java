package com.netflix.zuul.message.http;

/** A request. Changes apply to the request of the exchange after the filter. */
public interface HttpRequestMessage extends HttpRequestInfo {
    void setProtocol(String protocol);

    void setMethod(String method);

    void setPath(String path);

    void setQueryParams(HttpQueryParams parameters);

    void setClientIp(String address);

    void setScheme(String scheme);

    void setPort(int port);

    void setServerName(String name);

    /** Stores the current state of the request, which {@link #getInboundRequest} returns afterwards. */
    void storeInboundRequest();

    /** Returns the request as the gateway received it. */
    HttpRequestInfo getInboundRequest();

    @Override
    HttpRequestMessage clone();
}
