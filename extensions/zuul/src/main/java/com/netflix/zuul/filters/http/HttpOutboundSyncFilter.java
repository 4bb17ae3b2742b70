package com.netflix.zuul.filters.http;

import com.netflix.zuul.filters.BaseSyncFilter;
import com.netflix.zuul.filters.FilterType;
import com.netflix.zuul.message.http.HttpResponseMessage;

/** The base class of filters that process responses and return their results immediately. */
public abstract class HttpOutboundSyncFilter extends BaseSyncFilter<HttpResponseMessage, HttpResponseMessage> {
    @Override
    public FilterType filterType() {
        return FilterType.OUTBOUND;
    }

    @Override
    public HttpResponseMessage getDefaultOutput(HttpResponseMessage input) {
        return input;
    }
}
