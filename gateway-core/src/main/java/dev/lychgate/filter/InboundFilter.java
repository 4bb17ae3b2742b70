package dev.lychgate.filter;

/** A filter of requests. It declares the phase; the form is a second interface. */
public interface InboundFilter extends Filter {
    @Override
    default FilterPhase phase() {
        return FilterPhase.INBOUND;
    }
}
