package dev.lychgate.exchange.filtering;

import dev.lychgate.error.ErrorKind;
import dev.lychgate.error.GatewayError;
import dev.lychgate.filter.BodyTransform;
import dev.lychgate.loop.Holding;
import dev.lychgate.loop.Loop;
import dev.lychgate.loop.MemoryBudget;

/**
 * The native memory of the transforms of one body. It counts against the budget of the process, at the rate for memory that is
 * not Netty's. A body that stalls is aborted when others need the memory. On one event loop.
 */
final class TransformMemory implements Holding.Owner {
    private final Holding holding;
    private final Runnable close;
    private final Runnable abort;

    /**
     * @param close releases the memory: closes the transforms
     * @param abort ends the exchange; called later than {@code close}
     */
    TransformMemory(Loop loop, Runnable close, Runnable abort) {
        this.holding = loop.memory().holding(this);
        this.close = close;
        this.abort = abort;
    }

    /** Returns the error of an exchange whose bodies exceed the budget in filters. */
    static GatewayError refusal() {
        return GatewayError.local(ErrorKind.OVERLOADED, "the memory for bodies in filters is used up");
    }

    /**
     * Counts what the transforms hold after one of them has run.
     *
     * @param bytes as {@link BodyTransform#nativeMemory} returns it
     * @return false if it exceeds the budget: the transforms must be closed
     */
    boolean hold(long bytes) {
        boolean held = holding.hold(MemoryBudget.counted(bytes), Holding.Kind.BODY);
        // It has moved on, although it may hold as much as before.
        holding.moved();
        return held;
    }

    void release() {
        holding.release();
    }

    @Override
    public void releaseBytes() {
        close.run();
    }

    @Override
    public void onReclaim() {
        abort.run();
    }
}
