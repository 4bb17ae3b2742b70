package dev.lychgate.generation;

import dev.lychgate.filter.Filter;

/**
 * A filter failed its self-check or exceeded the time limit. The cause is the exception of the self-check, or has the stack
 * of its thread at the time limit, which locates the line in the filter's code.
 */
public final class SelfCheckException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    private final transient Filter filter;

    SelfCheckException(Filter filter, String how, Throwable cause) {
        super("filter " + filter.name() + " " + how, cause);
        this.filter = filter;
    }

    /** Returns the filter. */
    public Filter filter() {
        return filter;
    }
}
