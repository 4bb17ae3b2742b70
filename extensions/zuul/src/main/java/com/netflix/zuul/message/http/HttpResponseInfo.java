package com.netflix.zuul.message.http;

import com.netflix.zuul.message.ZuulMessage;

/** A response that filters can read. */
public interface HttpResponseInfo extends ZuulMessage {
    int getStatus();

    /** Returns the request as the gateway received it. */
    HttpRequestInfo getInboundRequest();
}
