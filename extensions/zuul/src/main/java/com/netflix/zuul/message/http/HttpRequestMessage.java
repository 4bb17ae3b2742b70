package com.netflix.zuul.message.http;

/** A request. After a filter has run, the gateway applies the changes of this object to the request of the exchange. */
public interface HttpRequestMessage extends HttpRequestInfo {
    void setProtocol(String protocol);

    void setMethod(String method);

    void setPath(String path);

    void setQueryParams(HttpQueryParams parameters);

    void setClientIp(String address);

    void setScheme(String scheme);

    void setPort(int port);

    void setServerName(String name);

    /**
     * Stores the current state of the request. After this call, {@link #getInboundRequest} returns the stored state.
     */
    void storeInboundRequest();

    /** Returns the request as the gateway received it. */
    HttpRequestInfo getInboundRequest();

    @Override
    HttpRequestMessage clone();
}
