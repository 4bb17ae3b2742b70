package dev.lychgate.http2;

import dev.lychgate.loop.HeldMemory;
import dev.lychgate.loop.Holding;

/** Counts the bytes of incomplete frames and header blocks of one connection in the process's budget. On its event loop. */
final class UnfinishedFrames implements Holding.Owner {
    private final Holding holding;
    private final Runnable release;
    private final Runnable end;
    private long countedMessages;

    /** @param release releases the bytes and reads no more; @param end ends the connection, in a later task */
    UnfinishedFrames(HeldMemory memory, Runnable release, Runnable end) {
        this.holding = memory.holding(this);
        this.release = release;
        this.end = end;
    }

    /**
     * A read has ended.
     *
     * @param size memory of the incomplete frames, in bytes
     * @param body whether they are DATA frames only
     * @param messages number of complete frames and header blocks
     */
    void count(int size, boolean body, long messages) {
        if (messages != countedMessages) {
            countedMessages = messages;
            holding.moved();
        }
        // A frame of a body is short, and other streams are not to end by it; a stalled one may be reclaimed.
        if (!holding.hold(size, body ? Holding.Kind.BODY : Holding.Kind.HEAD) && !body) {
            holding.abort();
        }
    }

    /** The connection is closed. */
    void release() {
        holding.release();
    }

    @Override
    public void releaseBytes() {
        release.run();
    }

    @Override
    public void onReclaim() {
        end.run();
    }
}
