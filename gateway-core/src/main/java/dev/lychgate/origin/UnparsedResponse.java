package dev.lychgate.origin;

import dev.lychgate.codec.ResponseReader;
import dev.lychgate.loop.HeldMemory;
import dev.lychgate.loop.Holding;
import dev.lychgate.loop.LoopAllocator;
import org.jspecify.annotations.Nullable;

/**
 * Counts the buffered bytes of an incomplete response head or trailer section against the memory budget of the process.
 */
final class UnparsedResponse {
    private final ResponseReader source;
    private final HeldMemory memory;
    private final Holding.Owner owner;
    /** The reservation in the memory budget; null as long as each head arrives in one read. */
    private @Nullable Holding holding;

    UnparsedResponse(ResponseReader source, HeldMemory memory, Holding.Owner owner) {
        this.source = source;
        this.memory = memory;
        this.owner = owner;
    }

    /**
     * Counts the current size of the buffer against the memory budget. Called after each read.
     *
     * @param headSeen whether the response head is complete
     */
    void count(boolean headSeen) {
        // Within a body, the buffered framing of chunks is short. A longer buffer contains trailers.
        int size = headSeen && source.buffered() <= LoopAllocator.SMALL ? 0 : source.bufferSize();
        Holding counted = holding;
        if (counted == null) {
            if (size == 0) {
                return;
            }
            counted = memory.holding(owner);
            holding = counted;
        }
        if (!counted.hold(size, Holding.Kind.RESPONSE_HEAD)) {
            counted.abort();
        }
    }

    void release() {
        if (holding != null) {
            holding.release();
        }
    }
}
