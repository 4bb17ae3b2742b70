package dev.lychgate.filter;

/**
 * A filter that processes requests before they are forwarded. This interface declares the phase; a second interface
 * declares the form, see {@link Filter}.
 */
public interface InboundFilter extends Filter {
    @Override
    default FilterPhase phase() {
        return FilterPhase.INBOUND;
    }
}
