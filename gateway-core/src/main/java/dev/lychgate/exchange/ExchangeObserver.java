package dev.lychgate.exchange;

import dev.lychgate.loop.Loop;

/**
 * Hears how exchanges fare; the seam behind which logs and metrics live. Called on the exchange's event loop, so it must
 * neither block nor keep the exchange: what it wants to remember, it copies.
 */
public interface ExchangeObserver {
    /** Hears nothing. */
    ExchangeObserver NONE = exchange -> {};

    /**
     * The observer of one event loop's exchanges, so that what it counts it may count for itself, without sharing. Asked
     * once per loop, before its first exchange and not on it.
     *
     * @param loop the loop
     * @return by default this observer, which then must bear being called from several loops
     */
    default ExchangeObserver onLoop(Loop loop) {
        return this;
    }

    /** The exchange has become a tunnel, a WebSocket; {@link #onClosed} follows when it ends. */
    default void onTunnel(Exchange exchange) {}

    /** The exchange is over, one way or the other; called exactly once for each. */
    void onClosed(Exchange exchange);
}
