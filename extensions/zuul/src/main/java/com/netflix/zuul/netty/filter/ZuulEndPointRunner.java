package com.netflix.zuul.netty.filter;

import com.netflix.zuul.filters.endpoint.ProxyEndpoint;

/** Contains the name of the endpoint that sends the request to the upstream. */
public final class ZuulEndPointRunner {
    public static final String PROXY_ENDPOINT_FILTER_NAME = ProxyEndpoint.class.getName();

    private ZuulEndPointRunner() {}
}
