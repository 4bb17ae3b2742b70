package dev.lychgate.origin;

import dev.lychgate.loop.Deadline;
import dev.lychgate.loop.Loop;
import java.util.concurrent.TimeUnit;

/**
 * Controls and shuts down an HTTP/2 stream that has become a tunnel. END_STREAM corresponds to a regular close of a TCP
 * connection, and RST_STREAM with CANCEL corresponds to a reset. Other exchanges on the connection continue.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc8441#section-5">RFC 8441, 5 Using Extended CONNECT to Bootstrap the
 *     WebSocket Protocol</a>
 */
final class Http2OriginTunnel extends Deadline implements OriginTunnel {
    /**
     * The time within which the origin must end its side of the stream after the gateway has ended its side, in
     * nanoseconds.
     */
    private static final long FAREWELL = TimeUnit.SECONDS.toNanos(2);

    private final Loop loop;
    private final Http2OriginStream stream;
    private final Runnable giveBack;
    private boolean left;
    private boolean givenBack;

    /**
     * Creates the control of a stream that has become a tunnel.
     *
     * @param giveBack runs exactly one time, when the tunnel is closed and the stream has ended
     */
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

    /** Handles the end of the stream: both sides have ended, or one side has reset the stream. */
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
