package dev.lychgate.filters.testing;

/** A filter that failed, whatever its policy has made of that. */
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

    /** What it threw; a {@link java.util.concurrent.TimeoutException} if its time was over. */
    public Throwable getCause() {
        return cause;
    }

    @Override
    public String toString() {
        return filter + ": " + cause;
    }
}
