package dev.lychgate.origin;

import dev.lychgate.codec.ResponseReader;
import dev.lychgate.splice.SplicedPiece;
import dev.lychgate.splice.Splicing;
import dev.lychgate.splice.SplicingReads;
import io.netty.channel.Channel;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * Pauses and resumes reading from one origin connection, and queues spliced chunks of a response body. Splicing lasts
 * from the call of {@link #splice} until shortly before the end of the body. The last bytes of the body are read
 * instead, so that the decoder detects the end of the body. Used on the event loop of the connection.
 */
final class OriginReadControl implements SplicingReads.Reader {
    /**
     * The number of bytes at the end of a body that are read instead of spliced. For so few bytes, a pipe would cost
     * more CPU time than it saves.
     */
    private static final long READ_AT_LEAST = 16 * 1024;

    private final Channel channel;
    /** Null if the connection never splices responses. */
    private @Nullable ResponseReader source;

    /** The queued chunks; null before the first chunk. */
    private @Nullable ArrayDeque<SplicedPiece> spliced;

    private boolean splicing;
    private boolean paused;

    OriginReadControl(Channel channel) {
        this.channel = channel;
    }

    /** Permits splicing of response bodies over plain TCP. Call before the first read. */
    void maySplice(ResponseReader responses) {
        if (Splicing.isPossible(channel)) {
            source = responses;
            SplicingReads.on(channel, this);
        }
    }

    boolean isPaused() {
        return paused;
    }

    void pause() {
        if (!paused) {
            pause(true);
        }
    }

    void resume() {
        if (paused) {
            pause(false);
        }
    }

    private void pause(boolean now) {
        paused = now;
        channel.config().setAutoRead(!now);
    }

    // ---- splicing

    /** Permits splicing for the rest of the current body. */
    void splice() {
        splicing = true;
    }

    /** Stops splicing and releases the queued chunks. */
    void endSplice() {
        splicing = false;
        for (SplicedPiece piece = nextSpliced(); piece != null; piece = nextSpliced()) {
            piece.release();
        }
    }

    /** Returns the next chunk that was spliced during this read; null if there is none. The caller owns the chunk. */
    @Nullable
    SplicedPiece nextSpliced() {
        return spliced == null ? null : spliced.pollFirst();
    }

    /**
     * Returns the number of bytes that the next read may splice; 0 while reading is paused. The end of the connection
     * triggers a read even during a pause, and this read must not splice.
     */
    @Override
    public long spliceable() {
        return splicing && !paused && source != null ? Math.max(0, source.bodyLeft() - READ_AT_LEAST) : 0;
    }

    @Override
    public void onPiece(SplicedPiece piece) {
        if (source != null) {
            source.pass(piece.count());
        }
        if (spliced == null) {
            spliced = new ArrayDeque<>();
        }
        spliced.addLast(piece);
    }
}
