package dev.lychgate.generation;

import dev.lychgate.filter.Filter;

/**
 * Reports that the self-check of a filter failed or exceeded the time limit. If the self-check threw an exception, this
 * exception is the cause. After a timeout, the cause has the stack of the thread that ran the self-check, which shows
 * the line in the filter's code.
 */
public final class SelfCheckException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    private final transient Filter filter;

    SelfCheckException(Filter filter, String how, Throwable cause) {
        super("filter " + filter.name() + " " + how, cause);
        this.filter = filter;
    }

    /** Returns the filter that failed its self-check. */
    public Filter filter() {
        return filter;
    }
}
