package dev.lychgate.origin;

import dev.lychgate.codec.ResponseSource;
import dev.lychgate.splice.SplicedPiece;
import dev.lychgate.splice.SplicingReads;
import io.netty.channel.Channel;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * The part of an answer's body that is not read off an origin's socket but spliced: from when somebody asks for it to near the
 * end of the body. The end itself is read, so whatever judges it has it before it as ever. On one event loop.
 */
final class SplicedAnswer implements SplicingReads.Reader {
    /** So much, and the end within it, is read: no more than what a pipe would cost. */
    private static final long READ_AT_LEAST = 16 * 1024;

    private final ResponseSource source;
    private final ArrayDeque<SplicedPiece> pieces = new ArrayDeque<>(2);
    private boolean wanted;
    private boolean paused;

    private SplicedAnswer(ResponseSource source) {
        this.source = source;
    }

    /** Prepares a channel that can be spliced and has read nothing yet. */
    static SplicedAnswer on(Channel channel, ResponseSource source) {
        SplicedAnswer answer = new SplicedAnswer(source);
        SplicingReads.on(channel, answer);
        return answer;
    }

    /** The rest of the body under way is to be spliced. */
    void begin() {
        wanted = true;
    }

    /** Nobody wants what is spliced any more. */
    void end() {
        wanted = false;
        release();
    }

    /** Whether the connection is meant not to be read: should it be nevertheless, at its end, then as it was ever. */
    void pause(boolean now) {
        paused = now;
    }

    @Override
    public long spliceable() {
        return wanted && !paused ? Math.max(0, source.bodyLeft() - READ_AT_LEAST) : 0;
    }

    @Override
    public void onPiece(SplicedPiece piece) {
        source.pass(piece.count());
        pieces.addLast(piece);
    }

    /** What has been spliced, in order, and is the caller's; null if there is nothing more. */
    @Nullable
    SplicedPiece next() {
        return pieces.pollFirst();
    }

    private void release() {
        for (SplicedPiece piece = pieces.pollFirst(); piece != null; piece = pieces.pollFirst()) {
            piece.release();
        }
    }
}
