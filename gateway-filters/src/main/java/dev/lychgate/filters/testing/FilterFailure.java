package dev.lychgate.filters.testing;

/** The failure of a filter in a test. It is reported for filters that fail open and for filters that fail closed. */
public final class FilterFailure {
    private final String filter;
    private final Throwable cause;

    FilterFailure(String filter, Throwable cause) {
        this.filter = filter;
        this.cause = cause;
    }

    /** Returns the name of the filter. */
    public String getFilter() {
        return filter;
    }

    /**
     * Returns the exception that the filter threw; a {@link java.util.concurrent.TimeoutException} if its timeout
     * expired.
     */
    public Throwable getCause() {
        return cause;
    }

    @Override
    public String toString() {
        return filter + ": " + cause;
    }
}
