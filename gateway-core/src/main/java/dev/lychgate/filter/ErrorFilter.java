package dev.lychgate.filter;

/** A filter that sees failures, before they are answered. Says when, and nothing of how: the form is a second interface. */
public interface ErrorFilter extends Filter {
    @Override
    default FilterPhase phase() {
        return FilterPhase.ERROR;
    }
}
