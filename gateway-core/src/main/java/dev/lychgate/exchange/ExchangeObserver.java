package dev.lychgate.exchange;

import dev.lychgate.exchange.call.MirrorEnd;
import dev.lychgate.exchange.state.ExchangeRecord;
import dev.lychgate.exchange.state.ExchangeTap;
import dev.lychgate.loop.Loop;
import dev.lychgate.route.Ingress;
import org.jspecify.annotations.Nullable;

/**
 * Observes exchanges for logs and metrics. Called on the exchange's event loop: must not block and must not retain the
 * exchange.
 */
public interface ExchangeObserver {
    /** Ignores all exchanges. */
    ExchangeObserver NONE = exchange -> {};

    /**
     * Returns the observer for one event loop, which may count without synchronization. Called once per loop, before its
     * first exchange and on another thread.
     *
     * @return by default this observer, which then must be thread-safe
     */
    default ExchangeObserver onLoop(Loop loop) {
        return this;
    }

    /**
     * Called once per loop.
     *
     * @return the observer that {@link #tap records} exchanges in full; null if none does
     */
    default @Nullable ExchangeObserver recording() {
        return null;
    }

    /**
     * Called when the head of a request has arrived.
     *
     * @param client facts for predicates of the request
     * @return the receiver of the exchange's course; {@link ExchangeTap#NONE} if it is not recorded
     */
    default ExchangeTap tap(ExchangeRecord exchange, Ingress client) {
        return ExchangeTap.NONE;
    }

    /** Called when the exchange becomes a WebSocket tunnel; {@link #onClosed} follows at its end. */
    default void onTunnel(Exchange exchange) {}

    /** Called once per copy of a request, at its end. A copy is no exchange: {@link #onClosed} does not report it. */
    default void onMirrored(MirrorEnd copy) {}

    /** Called exactly once per exchange, at its end. */
    void onClosed(Exchange exchange);
}
