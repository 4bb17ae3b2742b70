package dev.lychgate.listener;

import dev.lychgate.loop.HeldMemory;
import dev.lychgate.loop.Holding;
import dev.lychgate.loop.LoopAllocator;
import org.jspecify.annotations.Nullable;

/** Accounts for the unparsed bytes of one client connection in the process's memory budget. */
final class UnparsedBytes {
    private final ConnectionProgress progress;
    private final ReadControl reading;
    private final HeldMemory memory;
    private final Holding.Owner owner;
    /** Null until the first read that leaves bytes unparsed. */
    private @Nullable Holding holding;
    /** {@link ConnectionProgress#bodyBytes} at the last count. */
    private long countedBody;

    UnparsedBytes(ConnectionProgress progress, ReadControl reading, HeldMemory memory, Holding.Owner owner) {
        this.progress = progress;
        this.reading = reading;
        this.memory = memory;
        this.owner = owner;
    }

    /** Updates the account after a read, or after parsing has resumed without a read. */
    void count() {
        Holding counted = holding;
        if ((counted == null && reading.buffered() == 0) || progress.is(ServerState.CLOSED)) {
            return;
        }
        if (counted == null) {
            counted = memory.holding(owner);
            holding = counted;
        }
        boolean body = progress.is(ServerState.RECEIVING) || progress.is(ServerState.TUNNEL);
        if (body && progress.bodyBytes() != countedBody) {
            countedBody = progress.bodyBytes();
            counted.moved();
        }
        if (!counted.hold(reading.bufferSize(), body ? Holding.Kind.BODY : Holding.Kind.HEAD)
                && !(body && (reading.isBodyPaused() || reading.buffered() <= LoopAllocator.SMALL))) {
            // A request is not aborted within its body in two cases. In the first case, the body is paused, so at most
            // one read is buffered. In the second case, only a few bytes are buffered. They are chunk framing, because
            // unparsed bytes of a body are either chunk framing or trailers.
            counted.abort();
        }
    }

    /**
     * Removes the bytes of a complete head from the account, because the exchange counts them from now on. The next
     * {@link #count} adds the bytes that follow the head.
     */
    void headRead() {
        if (holding != null) {
            holding.hold(0, Holding.Kind.HEAD);
        }
    }

    void release() {
        if (holding != null) {
            holding.release();
        }
    }
}
