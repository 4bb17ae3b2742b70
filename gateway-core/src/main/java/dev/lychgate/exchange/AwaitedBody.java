package dev.lychgate.exchange;

import dev.lychgate.exchange.state.Phase;
import dev.lychgate.loop.HeldMemory;
import dev.lychgate.loop.Holding;
import java.util.concurrent.TimeUnit;

/**
 * Lets the memory budget end an exchange that waits for the rest of its request body. If the client stalls while other
 * requests need memory, the exchange fails, and the memory of its head is released. Used on one event loop.
 */
final class AwaitedBody implements Holding.Owner {
    private static final long STALLED = TimeUnit.SECONDS.toNanos(2);

    private final Exchange exchange;
    private final Holding holding;
    private long received = -1;

    AwaitedBody(Exchange exchange, HeldMemory memory) {
        this.exchange = exchange;
        this.holding = memory.holding(this);
        holding.awaitBody();
    }

    /**
     * Called after each read from the client.
     *
     * @param bytes the number of body bytes received so far
     */
    void onRead(long bytes) {
        if (bytes != received) {
            received = bytes;
            holding.moved();
        }
    }

    /** Stops observing the request body, because the request is complete or the exchange has ended. */
    void end() {
        holding.release();
    }

    @Override
    public boolean isStalled() {
        return exchange.isBodyOwed(STALLED);
    }

    @Override
    public void releaseBytes() {
        exchange.giveHeads();
    }

    @Override
    public void onReclaim() {
        if (exchange.record().phase() != Phase.CLOSED) {
            exchange.onRequestBroken(KeptHeads.noMemory());
        }
    }
}
