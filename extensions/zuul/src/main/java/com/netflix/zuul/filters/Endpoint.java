package com.netflix.zuul.filters;

import com.netflix.zuul.message.ZuulMessage;

/** The base class of filters that respond to requests. Such a filter runs only if another filter has chosen it. */
public abstract class Endpoint<I extends ZuulMessage, O extends ZuulMessage> extends BaseFilter<I, O> {
    @Override
    public int filterOrder() {
        return 0;
    }

    @Override
    public FilterType filterType() {
        return FilterType.ENDPOINT;
    }

    @Override
    public boolean shouldFilter(I input) {
        return true;
    }
}
