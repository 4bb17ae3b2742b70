package dev.lychgate.exchange.call;

import dev.lychgate.error.ErrorKind;
import java.util.Locale;

/** The result of the copy of a request. */
public enum MirrorOutcome {
    /** With a response, of any status. */
    RESPONSE,
    /** Without a response: the connection failed, or the response was malformed or incomplete. */
    FAILED,
    /** Without a response in time. */
    TIMEOUT,
    /** Not sent, because the upstream has no usable endpoint or no free connection, or its guards refused the copy. */
    REFUSED,
    /** Not sent, because the body of the request is too long. */
    BODY_TOO_LONG,
    /** Dropped, because the memory budget was exhausted. */
    MEMORY,
    /** Not sent, because too many copies were under way. */
    CONCURRENCY,
    /** Not sent, because the request was not sent completely, or not in time. */
    INCOMPLETE,
    /** Not sent, because the gateway sheds load. */
    OVERLOAD,
    /** Not sent, because the gateway is shutting down. */
    DRAINING;

    private final String label = name().toLowerCase(Locale.ROOT).replace('_', '-');

    /** Returns the stable, lower-case name: {@code body-too-long}. */
    public String label() {
        return label;
    }

    /** Returns whether the gateway itself dropped the copy before it had a result. */
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
