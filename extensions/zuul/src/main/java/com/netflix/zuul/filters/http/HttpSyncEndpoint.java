package com.netflix.zuul.filters.http;

import com.netflix.zuul.filters.Endpoint;
import com.netflix.zuul.filters.FilterSyncType;
import com.netflix.zuul.filters.SyncZuulFilter;
import com.netflix.zuul.message.http.HttpRequestMessage;
import com.netflix.zuul.message.http.HttpResponseMessage;
import com.netflix.zuul.message.http.HttpResponseMessageImpl;
import rx.Observable;

/** The base class of filters that respond to requests immediately. */
public abstract class HttpSyncEndpoint extends Endpoint<HttpRequestMessage, HttpResponseMessage>
        implements SyncZuulFilter<HttpRequestMessage, HttpResponseMessage> {
    @Override
    public Observable<HttpResponseMessage> applyAsync(HttpRequestMessage input) {
        return Observable.just(apply(input));
    }

    @Override
    public FilterSyncType getSyncType() {
        return FilterSyncType.SYNC;
    }

    @Override
    public HttpResponseMessage getDefaultOutput(HttpRequestMessage input) {
        return HttpResponseMessageImpl.defaultErrorResponse(input);
    }
}
