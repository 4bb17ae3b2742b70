package dev.lychgate.filter;

/** A filter of responses, error responses included, before they are sent. It declares the phase; the form is a second interface. */
public interface OutboundFilter extends Filter {
    @Override
    default FilterPhase phase() {
        return FilterPhase.OUTBOUND;
    }
}
