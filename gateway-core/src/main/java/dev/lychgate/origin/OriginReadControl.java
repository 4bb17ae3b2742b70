package dev.lychgate.origin;

import dev.lychgate.codec.ResponseReader;
import dev.lychgate.splice.SplicedPiece;
import dev.lychgate.splice.Splicing;
import dev.lychgate.splice.SplicingReads;
import io.netty.channel.Channel;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * Pauses and resumes reading from one origin connection, and collects the chunks of an answer's body that are not read off its
 * socket but spliced: from when somebody asks for it to near the end of the body. The end itself is read, so whatever judges it
 * has it before it as ever. On its event loop.
 */
final class OriginReadControl implements SplicingReads.Reader {
    /** So much, and the end within it, is read: no more than what a pipe would cost. */
    private static final long READ_AT_LEAST = 16 * 1024;

    private final Channel channel;
    /** Null if responses are never spliced on this connection. */
    private @Nullable ResponseReader source;

    private final ArrayDeque<SplicedPiece> spliced = new ArrayDeque<>(0);
    private boolean splicing;
    private boolean paused;

    OriginReadControl(Channel channel) {
        this.channel = channel;
    }

    /** Bodies of responses may be spliced, if they come over plain TCP. To be called before the first read. */
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

    /** The rest of the body under way may be spliced. */
    void splice() {
        splicing = true;
    }

    /** Nobody wants what is spliced any more. */
    void endSplice() {
        splicing = false;
        for (SplicedPiece piece = nextSpliced(); piece != null; piece = nextSpliced()) {
            piece.release();
        }
    }

    /** Returns the next chunk that was spliced during this read, which is the caller's; null if there is none. */
    @Nullable
    SplicedPiece nextSpliced() {
        return spliced.pollFirst();
    }

    /** A paused connection is meant not to be read: should it be nevertheless, at its end, then as it was ever. */
    @Override
    public long spliceable() {
        return splicing && !paused && source != null ? Math.max(0, source.bodyLeft() - READ_AT_LEAST) : 0;
    }

    @Override
    public void onPiece(SplicedPiece piece) {
        if (source != null) {
            source.pass(piece.count());
        }
        spliced.addLast(piece);
    }
}
