package com.netflix.zuul.filters.http;

import com.netflix.zuul.filters.BaseFilter;
import com.netflix.zuul.filters.FilterType;
import com.netflix.zuul.message.http.HttpRequestMessage;

/** The base class of filters that process requests and return their results later. */
public abstract class HttpInboundFilter extends BaseFilter<HttpRequestMessage, HttpRequestMessage> {
    @Override
    public FilterType filterType() {
        return FilterType.INBOUND;
    }

    @Override
    public HttpRequestMessage getDefaultOutput(HttpRequestMessage input) {
        return input;
    }
}
