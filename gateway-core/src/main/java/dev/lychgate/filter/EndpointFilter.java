package dev.lychgate.filter;

/** A filter that may respond instead of the route's upstream. It declares the phase; the form is a second interface. */
public interface EndpointFilter extends Filter {
    @Override
    default FilterPhase phase() {
        return FilterPhase.ENDPOINT;
    }
}
