package dev.lychgate.http2;

import dev.lychgate.loop.Holding;

/** Counts what one connection has received of frames, and of a header block, that are not complete. On its event loop. */
final class UnfinishedFrames implements Holding.Owner {
    private final Http2Connection connection;
    private final Holding holding;
    private long countedMessages;

    UnfinishedFrames(Http2Connection connection) {
        this.connection = connection;
        this.holding = connection.memory().holding(this);
    }

    /** A read has ended. @param size the memory of what is not complete, in bytes */
    void count(int size) {
        if (connection.messages() != countedMessages) {
            countedMessages = connection.messages();
            holding.moved();
        }
        // A frame of a body is short, and other streams are not to end by it; a stalled one may be reclaimed.
        boolean body = !connection.isWithinMessage();
        if (!holding.hold(size, body ? Holding.Kind.BODY : Holding.Kind.HEAD) && !body) {
            holding.abort();
        }
    }

    /** The connection is gone. */
    void release() {
        holding.release();
    }

    @Override
    public void releaseBytes() {
        connection.readNoMore();
    }

    @Override
    public void onReclaim() {
        connection.onUnfinishedReclaimed();
    }
}
