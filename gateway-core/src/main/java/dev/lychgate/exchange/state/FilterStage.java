package dev.lychgate.exchange.state;

import java.util.Locale;

/** Which filters of an exchange are running. */
public enum FilterStage {
    /** The global inbound filters, before routing. */
    GLOBAL,
    /** The route's own inbound filters. */
    ROUTE,
    /** Those that may answer in place of the upstream. */
    ENDPOINT,
    /** The one that answers when all attempts have failed. */
    FALLBACK,
    /** Those that see a failure. */
    ERROR,
    /** Those that see the answer. */
    OUTBOUND;

    private final String label = name().toLowerCase(Locale.ROOT);

    /** As traces call it. */
    public String label() {
        return label;
    }

    /** Whether the request may still be changed: it has gone nowhere yet. */
    public boolean changesRequest() {
        return this == GLOBAL || this == ROUTE || this == ENDPOINT;
    }
}
