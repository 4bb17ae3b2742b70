package dev.lychgate.exchange.state;

/**
 * The phase of an exchange. Until {@link #RELAYING} it may still end with an error response; from then on it is committed.
 * {@link ExchangeState#become} asserts that a phase {@linkplain #leadsTo leads to} the next one.
 */
public enum Phase {
    /** Inbound filters run. They may change the request, respond or reject. */
    FILTERING_REQUEST,
    /** The route is matched. Nothing has been sent to an origin. */
    ROUTING,
    /** An attempt waits for a connection; the request body is not read. Another endpoint may still be chosen. */
    CONNECTING,
    /** The request is being sent; the head of the response is awaited. Interim responses may pass. */
    FORWARDING,
    /** Outbound filters run over the head of the response; its body is held. */
    FILTERING_RESPONSE,
    /** The head of the response has been written to the client: the exchange can only finish or be aborted. */
    RELAYING,
    /** Over. Late events are discarded. */
    CLOSED;

    /** Returns whether an exchange may change from this phase to {@code next}. */
    boolean leadsTo(Phase next) {
        return switch (this) {
            case FILTERING_REQUEST -> next != FORWARDING && next != RELAYING;
            case ROUTING -> next == FILTERING_REQUEST || next == FILTERING_RESPONSE || next == CLOSED;
            // A retry connects again; a fallback filter runs as a request filter.
            case CONNECTING, FORWARDING -> next != ROUTING && next != RELAYING;
            // An outbound filter may respond in place of the response that it saw.
            case FILTERING_RESPONSE -> next == FILTERING_RESPONSE || next == RELAYING || next == CLOSED;
            case RELAYING -> next == CLOSED;
            case CLOSED -> false;
        };
    }
}
