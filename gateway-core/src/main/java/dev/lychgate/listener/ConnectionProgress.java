package dev.lychgate.listener;

import dev.lychgate.exchange.Exchange;
import org.jspecify.annotations.Nullable;

/** State of one HTTP/1.1 client connection, and progress of the request under way. */
final class ConnectionProgress {
    private ServerState state = ServerState.IDLE;
    private @Nullable Exchange exchange;
    private boolean expectsContinue;
    private long bodyBytes;

    /** A request begins. @param expects whether the client sends the body after a 100 only */
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

    /** Returns whether an exchange is under way. */
    boolean isServing() {
        return state == ServerState.RECEIVING || state == ServerState.RECEIVED || state == ServerState.TUNNEL;
    }

    /** Returns whether no more of the request is awaited. A tunnel may be silent for as long as its route allows. */
    boolean isRequestEnded() {
        return state == ServerState.RECEIVED || state == ServerState.TUNNEL;
    }

    @Nullable
    Exchange exchange() {
        return exchange;
    }

    /** The exchange is over. @return the exchange; null if none was under way */
    @Nullable
    Exchange endExchange() {
        Exchange ended = exchange;
        exchange = null;
        return ended;
    }

    /** A part of the body has been read. */
    void onBody(int bytes) {
        bodyBytes += bytes;
        expectsContinue = false;
    }

    long bodyBytes() {
        return bodyBytes;
    }

    /** A 100 has been written. */
    void onContinue() {
        expectsContinue = false;
    }

    boolean expectsContinue() {
        return expectsContinue;
    }
}
