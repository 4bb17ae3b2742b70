package com.netflix.zuul.filters;

import com.netflix.config.DynamicPropertyFactory;
import com.netflix.zuul.Filter;
import com.netflix.zuul.message.ZuulMessage;
import io.netty.handler.codec.http.HttpContent;
import org.jspecify.annotations.Nullable;

/** The base class of filters of Zuul 2. */
public abstract class BaseFilter<I extends ZuulMessage, O extends ZuulMessage> implements ZuulFilter<I, O> {
    @Override
    public String filterName() {
        return getClass().getName();
    }

    /** Returns the order that the annotation {@link Filter} declares. */
    @Override
    public int filterOrder() {
        return declared().order();
    }

    /** Returns the type that the annotation {@link Filter} declares. */
    @Override
    public FilterType filterType() {
        return declared().type();
    }

    @Override
    public FilterSyncType getSyncType() {
        Filter declared = getClass().getAnnotation(Filter.class);
        return declared == null ? FilterSyncType.ASYNC : declared.sync();
    }

    private Filter declared() {
        Filter declared = getClass().getAnnotation(Filter.class);
        if (declared == null) {
            throw new IllegalStateException(getClass().getName() + " declares no order and no type");
        }
        return declared;
    }

    /** Returns the name of the property that disables the filter. */
    public String disablePropertyName() {
        return "zuul." + getClass().getName() + "." + filterType() + ".disable";
    }

    @Override
    public boolean isDisabled() {
        return DynamicPropertyFactory.getInstance()
                .getBooleanProperty(disablePropertyName(), false)
                .get();
    }

    @Override
    public boolean overrideStopFilterProcessing() {
        return false;
    }

    @Override
    public boolean needsBodyBuffered(I input) {
        return false;
    }

    @Override
    public @Nullable HttpContent processContentChunk(ZuulMessage message, HttpContent chunk) {
        return chunk;
    }

    @Override
    public String toString() {
        return filterName();
    }
}
