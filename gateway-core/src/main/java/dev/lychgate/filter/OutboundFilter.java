package dev.lychgate.filter;

/**
 * A filter that processes responses, including error responses, before they are sent. This interface declares the phase
 * of the filter; {@link SyncFilter}, {@link AsyncFilter} or {@link BlockingFilter} declares its form.
 */
public interface OutboundFilter extends Filter {
    @Override
    default FilterPhase phase() {
        return FilterPhase.OUTBOUND;
    }
}
