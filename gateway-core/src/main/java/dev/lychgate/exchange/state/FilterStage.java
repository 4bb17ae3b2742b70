package dev.lychgate.exchange.state;

import java.util.Locale;

/** The chain of filters to which a running filter belongs. */
public enum FilterStage {
    /** The global inbound filters, which run before routing. */
    GLOBAL,
    /** The inbound filters of the route. */
    ROUTE,
    /** The endpoint filters, which may respond instead of the upstream. */
    ENDPOINT,
    /** The filter that responds after all attempts have failed. */
    FALLBACK,
    /** The error filters, which handle a failure. */
    ERROR,
    /** The outbound filters, which process the response. */
    OUTBOUND;

    private final String label = name().toLowerCase(Locale.ROOT);

    /** Returns the name of this stage in traces. */
    public String label() {
        return label;
    }

    /**
     * Returns whether filters of this stage may change the request. They may if no part of the request has been sent.
     */
    public boolean changesRequest() {
        return this == GLOBAL || this == ROUTE || this == ENDPOINT;
    }
}
