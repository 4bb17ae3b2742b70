package dev.lychgate.filter;

import java.util.List;

/** The filters of one generation, in the order in which they run. Immutable. */
public final class FilterSet {
    /** No filters. */
    public static final FilterSet EMPTY = new FilterSet(List.of(), List.of());

    private final InboundFilter[] inbound;
    private final OutboundFilter[] outbound;

    public FilterSet(List<InboundFilter> inbound, List<OutboundFilter> outbound) {
        this.inbound = inbound.toArray(InboundFilter[]::new);
        this.outbound = outbound.toArray(OutboundFilter[]::new);
    }

    public int inboundCount() {
        return inbound.length;
    }

    public InboundFilter inbound(int index) {
        return inbound[index];
    }

    public int outboundCount() {
        return outbound.length;
    }

    public OutboundFilter outbound(int index) {
        return outbound[index];
    }
}
