package dev.lychgate.chain;

import dev.lychgate.filter.AsyncFilter;
import dev.lychgate.filter.BlockingFilter;
import dev.lychgate.filter.Filter;
import dev.lychgate.filter.SyncFilter;

/** Determines the thread on which a filter runs, and whether the filter returns its outcome immediately or later. */
public enum FilterForm {
    /** The filter runs on the event loop and returns its outcome immediately. */
    SYNC,
    /** The filter starts on the event loop and completes its outcome later, on any thread. */
    ASYNC,
    /** The filter runs on a thread that it may block. */
    BLOCKING;

    /**
     * Returns the form of a filter.
     *
     * @throws IllegalArgumentException if the filter does not implement exactly one of the three interfaces
     */
    static FilterForm of(Filter filter) {
        boolean sync = filter instanceof SyncFilter;
        boolean async = filter instanceof AsyncFilter;
        boolean blocking = filter instanceof BlockingFilter;
        if ((sync ? 1 : 0) + (async ? 1 : 0) + (blocking ? 1 : 0) != 1) {
            throw new IllegalArgumentException(
                    "filter " + filter.name() + ", " + filter.getClass().getName()
                            + ", must implement exactly one of SyncFilter, AsyncFilter and BlockingFilter");
        }
        return sync ? SYNC : async ? ASYNC : BLOCKING;
    }
}
