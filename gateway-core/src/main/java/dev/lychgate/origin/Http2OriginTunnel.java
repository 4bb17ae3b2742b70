package dev.lychgate.origin;

import dev.lychgate.loop.Deadline;
import dev.lychgate.loop.Loop;
import java.util.concurrent.TimeUnit;

/**
 * A stream that has become a tunnel, and its end: END_STREAM stands for the end of a connection in order, RST_STREAM with
 * CANCEL for a reset. Its connection carries other exchanges, too, and goes on.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc8441#section-5">RFC 8441, 5 Using Extended CONNECT to Bootstrap the
 *     WebSocket Protocol</a>
 */
final class Http2OriginTunnel extends Deadline implements OriginTunnel {
    /** How long an origin may take to hear the end, and to end its own side. */
    private static final long FAREWELL = TimeUnit.SECONDS.toNanos(2);

    private final Loop loop;
    private final Http2OriginStream stream;
    private final Runnable giveBack;
    private boolean left;
    private boolean givenBack;

    /** @param giveBack to be called once, when the stream is over and has been left */
    Http2OriginTunnel(Loop loop, Http2OriginStream stream, Runnable giveBack) {
        this.loop = loop;
        this.stream = stream;
        this.giveBack = giveBack;
    }

    @Override
    public boolean isOpen() {
        return !stream.isOver();
    }

    @Override
    public boolean endsByHalves() {
        return true;
    }

    @Override
    public long unsent() {
        return stream.unsent();
    }

    @Override
    public void close() {
        if (left) {
            return;
        }
        left = true;
        if (stream.isOver()) {
            giveBack();
        } else {
            loop.deadlines().arm(this, FAREWELL);
            stream.sayGoodbye();
        }
    }

    @Override
    public void cut() {
        left = true;
        stream.leave();
        giveBack();
    }

    @Override
    public void reset() {
        cut();
    }

    /** Both sides have ended, or one of them has broken it off. */
    void onStreamClosed() {
        if (left) {
            giveBack();
        }
    }

    private void giveBack() {
        if (!givenBack) {
            givenBack = true;
            loop.deadlines().remove(this);
            giveBack.run();
        }
    }

    @Override
    protected void onDeadline() {
        cut();
    }
}
