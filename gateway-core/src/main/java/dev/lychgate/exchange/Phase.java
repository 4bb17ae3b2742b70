package dev.lychgate.exchange;

/** Where an exchange is. Until {@link #RELAYING} it may still be answered with a clean error; from then on it is committed. */
public enum Phase {
    /** Inbound filters look at the request. They may change, answer or refuse it. */
    FILTERING_REQUEST,
    /** A route is looked for. Nothing has been sent to anybody. */
    ROUTING,
    /** A connection to an endpoint is awaited; the request body waits, unread. Another endpoint may still be chosen. */
    CONNECTING,
    /** The request is being sent; the head of the answer is awaited. Interim answers may pass. */
    FORWARDING,
    /** Outbound filters look at the answer's head. */
    FILTERING_RESPONSE,
    /** The head of the answer has been written to the client: only finishing or cutting off is left. */
    RELAYING,
    /** Over. Whatever still comes is thrown away. */
    CLOSED
}
