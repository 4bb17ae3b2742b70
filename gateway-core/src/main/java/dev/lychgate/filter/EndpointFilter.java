package dev.lychgate.filter;

/** A filter that may answer in place of the route's upstream. Says when, and nothing of how: the form is a second interface. */
public interface EndpointFilter extends Filter {
    @Override
    default FilterPhase phase() {
        return FilterPhase.ENDPOINT;
    }
}
