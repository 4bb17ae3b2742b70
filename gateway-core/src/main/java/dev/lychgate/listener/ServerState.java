package dev.lychgate.listener;

/** What the connection does with what it reads. */
enum ServerState {
    /** No request is under way; the next one may begin. */
    IDLE,
    /** An exchange is under way, and its request is being read. */
    RECEIVING,
    /** An exchange is under way whose request has been read to its end; the next request waits unparsed. */
    RECEIVED,
    /** An exchange is under way that has become a tunnel: neither side's bytes are HTTP any more. */
    TUNNEL,
    /** The response is out, the rest of its request is discarded, then the next request may begin. */
    DISCARDING,
    /** The last response is out; what comes is discarded until the client closes or the time is up. */
    LINGERING,
    /** Closed, or about to be. */
    CLOSED;

    /** Whether {@code next} may follow this state. */
    boolean leadsTo(ServerState next) {
        return switch (this) {
            case IDLE -> next == RECEIVING || next == CLOSED;
            case RECEIVING -> true;
            case RECEIVED -> next == IDLE || next == TUNNEL || next == LINGERING || next == CLOSED;
            case TUNNEL -> next == LINGERING || next == CLOSED;
            case DISCARDING -> next == IDLE || next == LINGERING || next == CLOSED;
            case LINGERING, CLOSED -> next == CLOSED;
        };
    }
}
