package dev.lychgate.exchange;

import dev.lychgate.exchange.state.Phase;
import dev.lychgate.loop.HeldMemory;
import dev.lychgate.loop.Holding;
import java.util.concurrent.TimeUnit;

/**
 * A request with an incomplete body. If its client stalls, the exchange is aborted when the memory of its head is needed for
 * other requests. On one event loop.
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

    /** Called after a read. @param bytes length of the body received so far */
    void onRead(long bytes) {
        if (bytes != received) {
            received = bytes;
            holding.moved();
        }
    }

    /** Releases the memory with the end of the exchange. */
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
