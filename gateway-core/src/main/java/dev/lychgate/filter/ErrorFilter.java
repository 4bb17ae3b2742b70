package dev.lychgate.filter;

/**
 * A filter that runs after a failure, before the error response is sent. This interface declares the phase of the
 * filter; {@link SyncFilter}, {@link AsyncFilter} or {@link BlockingFilter} declares its form.
 */
public interface ErrorFilter extends Filter {
    @Override
    default FilterPhase phase() {
        return FilterPhase.ERROR;
    }
}
