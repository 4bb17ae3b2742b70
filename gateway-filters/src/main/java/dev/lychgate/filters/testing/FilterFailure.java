package dev.lychgate.filters.testing;

/** A filter that failed, whether it fails open or closed. */
public final class FilterFailure {
    private final String filter;
    private final Throwable cause;

    FilterFailure(String filter, Throwable cause) {
        this.filter = filter;
        this.cause = cause;
    }

    /** The name of the filter. */
    public String getFilter() {
        return filter;
    }

    /** The exception that it threw; a {@link java.util.concurrent.TimeoutException} after its timeout. */
    public Throwable getCause() {
        return cause;
    }

    @Override
    public String toString() {
        return filter + ": " + cause;
    }
}
