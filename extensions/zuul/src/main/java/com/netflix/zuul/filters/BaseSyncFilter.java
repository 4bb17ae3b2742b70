package com.netflix.zuul.filters;

import com.netflix.zuul.message.ZuulMessage;
import rx.Observable;

/** The base class of filters that return their results immediately. */
public abstract class BaseSyncFilter<I extends ZuulMessage, O extends ZuulMessage> extends BaseFilter<I, O>
        implements SyncZuulFilter<I, O> {
    @Override
    public Observable<O> applyAsync(I input) {
        return Observable.just(apply(input));
    }

    @Override
    public FilterSyncType getSyncType() {
        return FilterSyncType.SYNC;
    }
}
