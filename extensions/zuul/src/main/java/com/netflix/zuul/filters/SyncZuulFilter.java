package com.netflix.zuul.filters;

import com.netflix.zuul.message.ZuulMessage;

/** A filter that returns its result immediately. */
public interface SyncZuulFilter<I extends ZuulMessage, O extends ZuulMessage> extends ZuulFilter<I, O> {
    O apply(I input);
}
