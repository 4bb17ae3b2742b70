package dev.lychgate.filter;

/**
 * A filter that may respond to a request instead of the route's upstream. This interface declares the phase; a second
 * interface declares the form, see {@link Filter}.
 */
public interface EndpointFilter extends Filter {
    @Override
    default FilterPhase phase() {
        return FilterPhase.ENDPOINT;
    }
}
