package dev.lychgate.filter;

/**
 * A filter that processes requests before they are forwarded. This interface declares the phase of the filter; {@link
 * SyncFilter}, {@link AsyncFilter} or {@link BlockingFilter} declares its form.
 */
public interface InboundFilter extends Filter {
    @Override
    default FilterPhase phase() {
        return FilterPhase.INBOUND;
    }
}
