package dev.lychgate.generation;

import dev.lychgate.filter.Filter;

/**
 * A filter that can't do its work, by its own word, or by its silence. The cause is what the self-check has thrown, or has the
 * stack that it was found with when the time was over: whoever knows the filter's code finds the line there.
 */
public final class SelfCheckException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    private final transient Filter filter;

    SelfCheckException(Filter filter, String how, Throwable cause) {
        super("filter " + filter.name() + " " + how, cause);
        this.filter = filter;
    }

    /** Which of them. */
    public Filter filter() {
        return filter;
    }
}
