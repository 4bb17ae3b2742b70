package dev.lychgate.filter;

/**
 * The point of an exchange at which a filter runs. The phases run in the order of the constants; {@link #ERROR} runs
 * only after a failure.
 */
public enum FilterPhase {
    /**
     * Before the request is forwarded: filters change it, respond to it or reject it. Global filters run before
     * routing.
     */
    INBOUND,
    /** After routing: a filter may respond instead of the route's upstream. */
    ENDPOINT,
    /** After a failure, before any part of a response was sent: a filter may replace the error response. */
    ERROR,
    /** Before a response or an error response is sent. */
    OUTBOUND
}
