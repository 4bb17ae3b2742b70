package dev.lychgate.exchange.call;

import dev.lychgate.error.ErrorKind;
import java.util.Locale;

/** The result of a mirror copy. */
public enum MirrorOutcome {
    /** The copy got a response, with any status. */
    RESPONSE,
    /** The copy got no response, because the connection failed, or the response was malformed or incomplete. */
    FAILED,
    /** The copy got no response within its timeout. */
    TIMEOUT,
    /**
     * The copy was not sent, because the upstream had no usable endpoint or no free connection, or its guards rejected
     * the copy.
     */
    REFUSED,
    /** The copy was not sent, because the request body was too long. */
    BODY_TOO_LONG,
    /** The copy was dropped, because the memory budget was exhausted. */
    MEMORY,
    /** The copy was not sent, because too many copies were in progress. */
    CONCURRENCY,
    /** The copy was not sent, because the request to the route's upstream was not sent completely or not in time. */
    INCOMPLETE,
    /** The copy was not sent, because the gateway was shedding load. */
    OVERLOAD,
    /** The copy was not sent, because the gateway was shutting down. */
    DRAINING;

    private final String label = name().toLowerCase(Locale.ROOT).replace('_', '-');

    /** Returns the name in lower case, such as {@code body-too-long}. Names do not change between releases. */
    public String label() {
        return label;
    }

    /** Returns whether the gateway dropped the copy before the copy had a result. */
    public boolean isDropped() {
        return compareTo(BODY_TOO_LONG) >= 0;
    }

    static MirrorOutcome of(ErrorKind kind) {
        return switch (kind) {
            case NO_ENDPOINT, POOL_EXHAUSTED, ACQUIRE_TIMEOUT, CIRCUIT_OPEN, BULKHEAD_FULL, CONCURRENCY_LIMITED ->
                REFUSED;
            case CONNECT_TIMEOUT, RESPONSE_TIMEOUT, RESPONSE_BODY_TIMEOUT, EXCHANGE_TIMEOUT -> TIMEOUT;
            case OVERLOADED -> MEMORY;
            default -> FAILED;
        };
    }
}
