package dev.lychgate.filter;

/**
 * A filter that runs after a failure, before the error response is sent. This interface declares the phase; a second
 * interface declares the form, see {@link Filter}.
 */
public interface ErrorFilter extends Filter {
    @Override
    default FilterPhase phase() {
        return FilterPhase.ERROR;
    }
}
