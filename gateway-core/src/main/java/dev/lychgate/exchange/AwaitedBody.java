package dev.lychgate.exchange;

import dev.lychgate.error.ErrorKind;
import dev.lychgate.error.GatewayError;
import dev.lychgate.exchange.state.Phase;
import dev.lychgate.loop.HeldMemory;
import dev.lychgate.loop.Holding;
import java.util.concurrent.TimeUnit;

/**
 * A request whose client has sent the head, and still owes the body. If it stalls, it is aborted when the memory of its head is needed
 * for others. On one event loop.
 */
final class AwaitedBody implements Holding.Owner {
    /** What a field takes beside its bytes: its place among the others, and what is made of it. */
    static final int FIELD = 64;

    private static final long STALLED = TimeUnit.SECONDS.toNanos(2);

    private final Exchange exchange;
    private final Holding holding;
    private long received = -1;

    AwaitedBody(Exchange exchange, HeldMemory memory) {
        this.exchange = exchange;
        this.holding = memory.holding(this);
        holding.awaitBody();
    }

    static GatewayError noMemory() {
        return GatewayError.local(ErrorKind.OVERLOADED, "the memory for unfinished requests is used up");
    }

    /** A read has ended. @param bytes how much of the body has come until now */
    void onRead(long bytes) {
        if (bytes != received) {
            received = bytes;
            holding.moved();
        }
    }

    /** The exchange is over. */
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
            exchange.onRequestBroken(noMemory());
        }
    }
}
