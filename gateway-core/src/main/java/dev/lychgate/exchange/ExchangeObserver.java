package dev.lychgate.exchange;

import dev.lychgate.exchange.call.MirrorEnd;
import dev.lychgate.exchange.state.ExchangeTap;
import dev.lychgate.loop.Loop;
import org.jspecify.annotations.Nullable;

/**
 * Observes exchanges for logs and metrics. Called on the exchange's event loop, so implementations must not block.
 * Implementations must not retain the exchange after a call.
 */
public interface ExchangeObserver {
    /** An observer that ignores all exchanges. */
    ExchangeObserver NONE = exchange -> {};

    /**
     * Returns the observer for one event loop, so that implementations can count per loop without synchronization.
     * Called once per loop on another thread, before the first exchange of the loop.
     *
     * @return the observer of the loop. The default implementation returns this observer; an observer that does not
     *     override this method must be thread-safe
     */
    default ExchangeObserver onLoop(Loop loop) {
        return this;
    }

    /**
     * Returns the source of {@linkplain ExchangeTap taps}, which record whole exchanges; null if no exchanges are
     * recorded. Called once per loop.
     */
    default ExchangeTap.@Nullable Source taps() {
        return null;
    }

    /** Called when an exchange becomes a WebSocket tunnel. {@link #onClosed} follows at the end of the tunnel. */
    default void onTunnel(Exchange exchange) {}

    /**
     * Called at the end of each copy of a request. A copy is not an exchange, so {@link #onClosed} does not report it.
     */
    default void onMirrored(MirrorEnd copy) {}

    /** Called exactly once per exchange, at the end of the exchange. */
    void onClosed(Exchange exchange);
}
