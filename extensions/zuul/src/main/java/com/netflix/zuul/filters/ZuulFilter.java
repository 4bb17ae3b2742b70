package com.netflix.zuul.filters;

import com.netflix.zuul.message.ZuulMessage;
import io.netty.handler.codec.http.HttpContent;
import org.jspecify.annotations.Nullable;
import rx.Observable;

/** A filter of Zuul 2. One object serves all requests concurrently. */
public interface ZuulFilter<I extends ZuulMessage, O extends ZuulMessage> {
    /** Returns whether a property disables the filter. */
    boolean isDisabled();

    String filterName();

    /** Returns the order within the type: filters with a lower number run first. */
    int filterOrder();

    FilterType filterType();

    /** Returns whether the filter runs although another filter has stopped the processing. */
    boolean overrideStopFilterProcessing();

    /** Returns whether the filter runs for a message. */
    boolean shouldFilter(I input);

    /**
     * Processes a message. The first item of the observable is the result; without an item, the result is the message
     * itself.
     */
    Observable<O> applyAsync(I input);

    FilterSyncType getSyncType();

    /** Returns the result after a failure of the filter. */
    O getDefaultOutput(I input);

    /** Returns whether the filter needs the whole body of a message. */
    boolean needsBodyBuffered(I input);

    /** Processes a chunk of the body. The gateway does not call this method. */
    @Nullable
    HttpContent processContentChunk(ZuulMessage message, HttpContent chunk);
}
