package dev.lychgate.filter;

/**
 * A filter of requests. This interface declares the phase; a second interface declares the form, see {@link Filter}.
 */
public interface InboundFilter extends Filter {
    @Override
    default FilterPhase phase() {
        return FilterPhase.INBOUND;
    }
}
