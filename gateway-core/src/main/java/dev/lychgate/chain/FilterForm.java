package dev.lychgate.chain;

import dev.lychgate.filter.AsyncFilter;
import dev.lychgate.filter.BlockingFilter;
import dev.lychgate.filter.Filter;
import dev.lychgate.filter.SyncFilter;

/** The way in which a filter delivers its outcome. */
public enum FilterForm {
    /** Immediately, on the event loop. */
    SYNC,
    /** Later, from any thread. */
    ASYNC,
    /** On a thread that may block. */
    BLOCKING;

    /** @throws IllegalArgumentException if {@code filter} has no form, or more than one */
    static FilterForm of(Filter filter) {
        boolean sync = filter instanceof SyncFilter;
        boolean async = filter instanceof AsyncFilter;
        boolean blocking = filter instanceof BlockingFilter;
        if ((sync ? 1 : 0) + (async ? 1 : 0) + (blocking ? 1 : 0) != 1) {
            throw new IllegalArgumentException("filter " + filter.name() + ", "
                    + filter.getClass().getName() + ", has to be one of SyncFilter, AsyncFilter and BlockingFilter");
        }
        return sync ? SYNC : async ? ASYNC : BLOCKING;
    }
}
