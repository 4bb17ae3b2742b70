package dev.lychgate.listener;

import dev.lychgate.exchange.Exchange;
import org.jspecify.annotations.Nullable;

/** State of one HTTP/1.1 client connection, and progress of the current request. */
final class ConnectionProgress {
    private ServerState state = ServerState.IDLE;
    private @Nullable Exchange exchange;
    private boolean expectsContinue;
    private long bodyBytes;

    /**
     * Starts a request.
     *
     * @param expects whether the client sends the body only after a 100
     */
    void begin(Exchange next, boolean expects) {
        become(ServerState.RECEIVING);
        exchange = next;
        expectsContinue = expects;
        bodyBytes = 0;
    }

    void become(ServerState next) {
        assert state.leadsTo(next) : state + " to " + next;
        state = next;
    }

    boolean is(ServerState expected) {
        return state == expected;
    }

    boolean isServing() {
        return state == ServerState.RECEIVING || state == ServerState.RECEIVED || state == ServerState.TUNNEL;
    }

    /**
     * Returns whether no request data is awaited. The result is true in a tunnel, because a tunnel may be idle for as
     * long as its route allows.
     */
    boolean isRequestEnded() {
        return state == ServerState.RECEIVED || state == ServerState.TUNNEL;
    }

    @Nullable
    Exchange exchange() {
        return exchange;
    }

    /**
     * Ends the exchange.
     *
     * @return the exchange; null if there was none
     */
    @Nullable
    Exchange endExchange() {
        Exchange ended = exchange;
        exchange = null;
        return ended;
    }

    void onBody(int bytes) {
        bodyBytes += bytes;
        expectsContinue = false;
    }

    long bodyBytes() {
        return bodyBytes;
    }

    void onContinue() {
        expectsContinue = false;
    }

    boolean expectsContinue() {
        return expectsContinue;
    }
}
