package dev.lychgate.origin;

import dev.lychgate.codec.ResponseSource;
import dev.lychgate.splice.SplicedPiece;
import dev.lychgate.splice.Splicing;
import io.netty.channel.Channel;
import org.jspecify.annotations.Nullable;

/** Pauses and resumes reading from one origin connection, and collects spliced chunks. On its event loop. */
final class OriginReadControl {
    private final Channel channel;
    /** Null if responses are never spliced on this connection. */
    private @Nullable SplicedAnswer spliced;

    private boolean paused;

    OriginReadControl(Channel channel) {
        this.channel = channel;
    }

    /** Bodies of responses may be spliced, if they come over plain TCP. To be called before the first read. */
    void maySplice(ResponseSource source) {
        if (Splicing.isPossible(channel)) {
            spliced = SplicedAnswer.on(channel, source);
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

    /** Resumes reading. @return false if it was not paused */
    boolean resume() {
        if (!paused) {
            return false;
        }
        pause(false);
        return true;
    }

    private void pause(boolean now) {
        paused = now;
        if (spliced != null) {
            spliced.pause(now);
        }
        channel.config().setAutoRead(!now);
    }

    /** The rest of the body under way may be spliced. */
    void splice() {
        if (spliced != null) {
            spliced.begin();
        }
    }

    void endSplice() {
        if (spliced != null) {
            spliced.end();
        }
    }

    /** Returns the next chunk that was spliced during this read, which is the caller's; null if there is none. */
    @Nullable
    SplicedPiece nextSpliced() {
        return spliced == null ? null : spliced.next();
    }
}
