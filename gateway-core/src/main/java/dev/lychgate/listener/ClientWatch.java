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

    /** Timeouts of the connection. */
    interface Events {
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

    private final Events events;
    private final ConnectionProgress progress;
    private final ReadControl reading;
    private final ListenerContext listener;
    private final DeadlineWheel wheel;
    private final WriteProgress writeProgress;
    private boolean onHead;
    private long lastBodyRead;

    ClientWatch(
            Events events,
            ConnectionProgress progress,
            ReadControl reading,
            ListenerContext listener,
            DeadlineWheel wheel,
            Channel channel) {
        this.events = events;
        this.progress = progress;
        this.reading = reading;
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

    /** Returns how long no part of the body has been read, in nanoseconds; 0 if the client does not cause that. */
    long bodySilence() {
        // Reading is paused, or the client waits for a 100.
        boolean heldBack = reading.isBodyPaused() || progress.expectsContinue();
        return heldBack ? 0 : wheel.now() - lastBodyRead;
    }

    /** More waits to be sent than the watermark allows. */
    void awaitReader() {
        writeProgress.stalledSince(wheel.now());
        boolean bodyToo = progress.isServing() && !progress.isRequestEnded();
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
        if (progress.isServing()) {
            onExchange();
        } else if (isSending()) {
            wheel.arm(this, nextSample());
        } else if (!progress.is(ServerState.IDLE)) {
            events.onCloseTimeout();
        } else if (head) {
            events.onHeadTimeout();
        } else {
            events.onIdleTimeout();
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
        if (!progress.isRequestEnded()) {
            long left = listener.requestBody - bodySilence();
            if (left <= 0) {
                events.onBodyTimeout();
                return;
            }
            next = left;
        }
        if (writeProgress.isPending()) {
            long left = writeTimeLeft();
            if (left <= 0) {
                events.onWriteStalled();
                return;
            }
            next = Math.min(next, nextSample());
        }
        if (next != NOTHING) {
            wheel.arm(this, next);
        }
    }
}
