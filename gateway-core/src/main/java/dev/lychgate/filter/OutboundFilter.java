package dev.lychgate.filter;

/**
 * A filter that processes responses, including error responses, before they are sent. This interface declares the
 * phase; a second interface declares the form, see {@link Filter}.
 */
public interface OutboundFilter extends Filter {
    @Override
    default FilterPhase phase() {
        return FilterPhase.OUTBOUND;
    }
}
