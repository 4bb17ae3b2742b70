package dev.lychgate.filter;

/**
 * A filter that may respond to a request instead of the route's upstream. This interface declares the phase of the
 * filter; {@link SyncFilter}, {@link AsyncFilter} or {@link BlockingFilter} declares its form.
 */
public interface EndpointFilter extends Filter {
    @Override
    default FilterPhase phase() {
        return FilterPhase.ENDPOINT;
    }
}
