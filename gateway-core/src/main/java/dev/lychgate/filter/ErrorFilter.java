package dev.lychgate.filter;

/** A filter of failures, before the error response is sent. It declares the phase; the form is a second interface. */
public interface ErrorFilter extends Filter {
    @Override
    default FilterPhase phase() {
        return FilterPhase.ERROR;
    }
}
