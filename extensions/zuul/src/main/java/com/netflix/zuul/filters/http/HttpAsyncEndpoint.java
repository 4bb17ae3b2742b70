package com.netflix.zuul.filters.http;

import com.netflix.zuul.filters.Endpoint;
import com.netflix.zuul.filters.FilterSyncType;
import com.netflix.zuul.message.http.HttpRequestMessage;
import com.netflix.zuul.message.http.HttpResponseMessage;
import com.netflix.zuul.message.http.HttpResponseMessageImpl;

/** The base class of filters that respond to requests later. */
public abstract class HttpAsyncEndpoint extends Endpoint<HttpRequestMessage, HttpResponseMessage> {
    @Override
    public FilterSyncType getSyncType() {
        return FilterSyncType.ASYNC;
    }

    @Override
    public HttpResponseMessage getDefaultOutput(HttpRequestMessage input) {
        return HttpResponseMessageImpl.defaultErrorResponse(input);
    }
}
