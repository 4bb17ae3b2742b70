package dev.lychgate.exchange;

/**
 * Hears how exchanges fare; the seam behind which logs and metrics live. Called on the exchange's event loop, so it must
 * neither block nor keep the exchange: what it wants to remember, it copies.
 */
public interface ExchangeObserver {
    /** Hears nothing. */
    ExchangeObserver NONE = exchange -> {};

    /** The exchange is over, one way or the other; called exactly once for each. */
    void onClosed(Exchange exchange);
}
