package dev.lychgate.exchange;

import dev.lychgate.exchange.call.MirrorEnd;
import dev.lychgate.exchange.state.ExchangeTap;
import dev.lychgate.loop.Loop;
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

    /** Returns the source of taps, which record exchanges in full; null without one. Called once per loop. */
    default ExchangeTap.@Nullable Source taps() {
        return null;
    }

    /** Called when the exchange becomes a WebSocket tunnel; {@link #onClosed} follows at its end. */
    default void onTunnel(Exchange exchange) {}

    /** Called once per copy of a request, at its end. A copy is no exchange: {@link #onClosed} does not report it. */
    default void onMirrored(MirrorEnd copy) {}

    /** Called exactly once per exchange, at its end. */
    void onClosed(Exchange exchange);
}
