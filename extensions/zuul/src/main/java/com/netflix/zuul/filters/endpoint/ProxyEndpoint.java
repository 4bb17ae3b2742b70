package com.netflix.zuul.filters.endpoint;

/** Contains the name of the endpoint that sends the request to the upstream. */
public final class ProxyEndpoint {
    private ProxyEndpoint() {}
}
