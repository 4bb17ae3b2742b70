package com.netflix.zuul.filters.http;

import com.netflix.zuul.filters.BaseFilter;
import com.netflix.zuul.filters.FilterType;
import com.netflix.zuul.message.http.HttpResponseMessage;

/** The base class of filters that process responses and return their results later. */
public abstract class HttpOutboundFilter extends BaseFilter<HttpResponseMessage, HttpResponseMessage> {
    @Override
    public FilterType filterType() {
        return FilterType.OUTBOUND;
    }

    @Override
    public HttpResponseMessage getDefaultOutput(HttpResponseMessage input) {
        return input;
    }
}
