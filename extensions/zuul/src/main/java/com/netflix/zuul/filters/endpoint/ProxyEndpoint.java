package com.netflix.zuul.filters.endpoint;

/** The name of the endpoint that sends the request to the upstream. */
public final class ProxyEndpoint {
    private ProxyEndpoint() {}
}
