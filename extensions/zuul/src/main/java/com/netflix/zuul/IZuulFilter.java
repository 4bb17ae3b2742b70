package com.netflix.zuul;

import com.netflix.zuul.exception.ZuulException;
import org.jspecify.annotations.Nullable;

/** The part of a filter that runs for each request. */
public interface IZuulFilter {
    /** Returns whether the filter runs for the current request. */
    boolean shouldFilter();

    /**
     * Processes the current request.
     *
     * @return any value; {@link FilterProcessor#runFilters} uses it if it is a {@link Boolean}
     */
    @Nullable
    Object run() throws ZuulException;
}
