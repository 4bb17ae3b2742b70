package dev.lychgate.listener;

import dev.lychgate.loop.Deadline;
import dev.lychgate.loop.DeadlineWheel;
import io.netty.channel.Channel;
import java.util.concurrent.TimeUnit;

/**
 * Watches over a slow or silent client: one deadline per connection for all that can be waited for. When its time has
 * come it looks at what is awaited now, and hangs itself further on if it is too early; so a connection that is in order
 * costs two field writes per request. Knows the times, not what follows from them: that is the connection's to do.
 */
final class ClientWatch extends Deadline {
    /** How long an idle connection is kept once the gateway drains. */
    private static final long DRAIN_GRACE = TimeUnit.SECONDS.toNanos(1);
    /** How long a client may go on sending after its last answer before the connection is cut. */
    private static final long LINGER = TimeUnit.SECONDS.toNanos(2);

    private static final int SAMPLES = 16;
    private static final long SHORTEST_SAMPLE = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long NOTHING = Long.MAX_VALUE;

    /** The connection that is watched. */
    interface Watched {
        /** Whether an exchange is under way. */
        boolean isExchanging();

        /** Whether the next request may begin. */
        boolean isIdle();

        /** Whether the request under way has been read to its end. */
        boolean isRequestEnded();

        /** Whether it is not the client's fault that no body comes: we don't read it, or it waits for a 100. */
        boolean isBodyHeldBack();

        /** A head has begun and does not end. */
        void onHeadTimeout();

        /** Nothing has come for too long. */
        void onIdleTimeout();

        /** The client fell silent within its request body. */
        void onBodyTimeout();

        /** The client reads nothing of its answer. */
        void onWriteStalled();

        /** The time for closing in order is over. */
        void onCloseTimeout();
    }

    private final Watched watched;
    private final ListenerContext listener;
    private final DeadlineWheel wheel;
    private final WriteProgress writeProgress;
    private boolean onHead;
    private long lastBodyRead;

    ClientWatch(Watched watched, ListenerContext listener, DeadlineWheel wheel, Channel channel) {
        this.watched = watched;
        this.listener = listener;
        this.wheel = wheel;
        this.writeProgress = new WriteProgress(channel);
    }

    /** The next request is awaited, for a long time, or for a moment only if the gateway drains. */
    void awaitRequest() {
        wheel.arm(this, listener.isDraining() ? DRAIN_GRACE : listener.idle);
    }

    /** A part of a head has come; the time for its rest runs from its first byte, whatever else comes of it. */
    void awaitHead() {
        if (!onHead) {
            onHead = true;
            wheel.arm(this, listener.requestHead);
        }
    }

    /** A head is whole. */
    void headRead() {
        onHead = false;
    }

    /** A request body, or the rest of one that nobody wants, is awaited. */
    void awaitBody() {
        bodyRead();
        wheel.arm(this, listener.requestBody);
    }

    /** A piece of the body has come, or we have just let it come again. */
    void bodyRead() {
        lastBodyRead = wheel.now();
    }

    /** For how long nothing of the body has come, in nanoseconds. */
    long bodySilence() {
        return wheel.now() - lastBodyRead;
    }

    /** More waits to be sent than the watermark allows. */
    void awaitReader() {
        writeProgress.stalledSince(wheel.now());
        boolean bodyToo = watched.isExchanging() && !watched.isRequestEnded();
        wheel.arm(this, bodyToo ? Math.min(nextSample(), listener.requestBody) : nextSample());
    }

    /** The last answer is leaving; the connection closes after it. */
    void awaitLastBytes() {
        wheel.arm(this, nextSample());
    }

    /** The last answer has left; the client is given a moment to hear it and close. */
    void awaitFarewell() {
        wheel.arm(this, LINGER);
    }

    /** The connection is gone. */
    void stop() {
        wheel.remove(this);
    }

    @Override
    protected void onDeadline() {
        boolean head = onHead;
        onHead = false;
        if (watched.isExchanging()) {
            onExchange();
        } else if (isSending()) {
            wheel.arm(this, nextSample());
        } else if (!watched.isIdle()) {
            watched.onCloseTimeout();
        } else if (head) {
            watched.onHeadTimeout();
        } else {
            watched.onIdleTimeout();
        }
    }

    /** Whether the last answer is still leaving, slowly but surely. */
    private boolean isSending() {
        return writeProgress.isPending() && writeTimeLeft() > 0;
    }

    /** Whether a client reads is seen only by looking again; that is also by how much a stall may be noticed late. */
    private long nextSample() {
        return Math.max(SHORTEST_SAMPLE, listener.write / SAMPLES);
    }

    private long writeTimeLeft() {
        long now = wheel.now();
        return listener.write - (now - writeProgress.stalledSince(now));
    }

    private void onExchange() {
        long next = NOTHING;
        if (!watched.isRequestEnded()) {
            // Silence that we have caused ourselves by not reading does not count.
            long left = watched.isBodyHeldBack() ? listener.requestBody : listener.requestBody - bodySilence();
            if (left <= 0) {
                watched.onBodyTimeout();
                return;
            }
            next = left;
        }
        if (writeProgress.isPending()) {
            long left = writeTimeLeft();
            if (left <= 0) {
                watched.onWriteStalled();
                return;
            }
            next = Math.min(next, nextSample());
        }
        if (next != NOTHING) {
            wheel.arm(this, next);
        }
    }
}
