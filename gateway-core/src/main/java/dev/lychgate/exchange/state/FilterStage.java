package dev.lychgate.exchange.state;

import java.util.Locale;

/** A stage of an exchange, in which one chain of filters runs. */
public enum FilterStage {
    /** The authentication of the listener, which runs before the global inbound filters. */
    AUTHENTICATE_LISTENER,
    /** The global inbound filters, which run before routing. */
    GLOBAL,
    /** The authentication of the route. */
    AUTHENTICATE_ROUTE,
    /** The authorizers. */
    AUTHORIZE,
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

    private final String label = name().toLowerCase(Locale.ROOT).replace('_', '-');

    /** Returns the name of this stage in traces. */
    public String label() {
        return label;
    }

    /**
     * Returns whether filters of this stage may change the request. Filters may change the request in stages in which
     * no part of the request has been sent to an origin.
     */
    public boolean changesRequest() {
        return switch (this) {
            case AUTHENTICATE_LISTENER, GLOBAL, AUTHENTICATE_ROUTE, AUTHORIZE, ROUTE, ENDPOINT -> true;
            case FALLBACK, ERROR, OUTBOUND -> false;
        };
    }

    /** Returns whether filters of this stage may choose the route. */
    public boolean choosesRoute() {
        return this == AUTHENTICATE_LISTENER || this == GLOBAL || this == ROUTE;
    }
}
