package dev.lychgate.exchange.state;

/**
 * The phase of an exchange. Before {@link #RELAYING}, the exchange may still end with an error response; from {@link
 * #RELAYING} on, the response is committed. {@link ExchangeState#become} asserts with {@link #leadsTo} that the next
 * phase may follow the current phase.
 */
public enum Phase {
    /** Inbound filters run. They may change the request, respond or reject. */
    FILTERING_REQUEST,
    /** The route is being matched. Nothing has been sent to an origin. */
    ROUTING,
    /** An attempt waits for a connection, and the request body is not read. Another endpoint may still be chosen. */
    CONNECTING,
    /** The request is being sent, and the attempt waits for the response head. Interim responses may be relayed. */
    FORWARDING,
    /** Outbound filters process the response head. The response body is held. */
    FILTERING_RESPONSE,
    /** The response head has been written to the client. The exchange can only complete or be aborted. */
    RELAYING,
    /** The exchange has ended. Late events are discarded. */
    CLOSED;

    /** Returns whether an exchange may change from this phase to {@code next}. */
    boolean leadsTo(Phase next) {
        return switch (this) {
            case FILTERING_REQUEST -> next != FORWARDING && next != RELAYING;
            case ROUTING -> next == FILTERING_REQUEST || next == FILTERING_RESPONSE || next == CLOSED;
            // A retry waits for a connection again. A fallback filter runs like an inbound filter.
            case CONNECTING, FORWARDING -> next != ROUTING && next != RELAYING;
            // An outbound filter may replace the response that it received.
            case FILTERING_RESPONSE -> next == FILTERING_RESPONSE || next == RELAYING || next == CLOSED;
            case RELAYING -> next == CLOSED;
            case CLOSED -> false;
        };
    }
}
