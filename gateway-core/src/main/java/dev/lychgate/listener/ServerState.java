package dev.lychgate.listener;

/** State of an HTTP/1.1 client connection. The state determines how the gateway handles input from the client. */
enum ServerState {
    /** No request has begun. */
    IDLE,
    /** The request of the current exchange is being read. */
    RECEIVING,
    /** The request of the current exchange is complete; the next request stays unparsed. */
    RECEIVED,
    /** The exchange has become a tunnel: the bytes of both sides are not HTTP. */
    TUNNEL,
    /** The response is written. The rest of its request is discarded; then the next request may begin. */
    DISCARDING,
    /** The last response is written; input is discarded until the client closes or the time expires. */
    LINGERING,
    /** The connection is closed or closing. */
    CLOSED;

    /** Returns whether {@code next} may follow this state. */
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
