package dev.lychgate.exchange.state;

import java.util.Locale;

/** The chain of filters that is running. */
public enum FilterStage {
    /** The global inbound filters, before routing. */
    GLOBAL,
    /** The inbound filters of the route. */
    ROUTE,
    /** Filters that may respond in place of the upstream. */
    ENDPOINT,
    /** The filter that responds after all attempts have failed. */
    FALLBACK,
    /** Filters that handle a failure. */
    ERROR,
    /** Filters of the response. */
    OUTBOUND;

    private final String label = name().toLowerCase(Locale.ROOT);

    /** Returns the name in traces. */
    public String label() {
        return label;
    }

    /** Returns whether the request may still change, because no part of it has been sent. */
    public boolean changesRequest() {
        return this == GLOBAL || this == ROUTE || this == ENDPOINT;
    }
}
