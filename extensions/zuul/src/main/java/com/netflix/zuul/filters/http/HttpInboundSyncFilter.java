package com.netflix.zuul.filters.http;

import com.netflix.zuul.filters.BaseSyncFilter;
import com.netflix.zuul.filters.FilterType;
import com.netflix.zuul.message.http.HttpRequestMessage;

/** The base class of filters that process requests and return their results immediately. */
public abstract class HttpInboundSyncFilter extends BaseSyncFilter<HttpRequestMessage, HttpRequestMessage> {
    @Override
    public FilterType filterType() {
        return FilterType.INBOUND;
    }

    @Override
    public HttpRequestMessage getDefaultOutput(HttpRequestMessage input) {
        return input;
    }
}
