package dev.lychgate.listener;

import dev.lychgate.loop.Deadline;
import dev.lychgate.loop.DeadlineWheel;
import io.netty.channel.Channel;
import java.util.concurrent.TimeUnit;

/**
 * Detects slow and idle clients, with one deadline per connection for all timeouts. When the deadline expires, this
 * class checks the current state, and rearms the deadline if no timeout has elapsed. A healthy connection costs two
 * field writes per request. This class detects timeouts, and the connection handles them.
 */
final class ClientWatch extends Deadline {
    /** Time for which an idle connection stays open while the gateway drains. */
    private static final long DRAIN_GRACE = TimeUnit.SECONDS.toNanos(1);
    /**
     * Time for which a client may continue to send after its last response. After this time, the connection is closed
     * immediately.
     */
    private static final long LINGER = TimeUnit.SECONDS.toNanos(2);

    private static final int SAMPLES = 16;
    private static final long SHORTEST_SAMPLE = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long NOTHING = Long.MAX_VALUE;

    /** Handles the timeouts of the connection. */
    interface Events {
        /** A request head began, but did not arrive completely in time. */
        void onHeadTimeout();

        /** The connection was idle for too long. */
        void onIdleTimeout();

        /** The client stalled within its request body. */
        void onBodyTimeout();

        /** The client stopped reading its response. */
        void onWriteStalled();

        /** The time for an orderly close expired. */
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

    /** Waits for the next request until the idle timeout, or {@link #DRAIN_GRACE} if the gateway drains. */
    void awaitRequest() {
        wheel.arm(this, listener.isDraining() ? DRAIN_GRACE : listener.idle);
    }

    /**
     * Starts the head timeout at the first byte of a request head. Later bytes of the head do not extend the timeout.
     */
    void awaitHead() {
        if (!onHead) {
            onHead = true;
            wheel.arm(this, listener.requestHead);
        }
    }

    void headRead() {
        onHead = false;
    }

    /** Starts the timeout of a request body, whether it is forwarded or discarded. */
    void awaitBody() {
        bodyRead();
        wheel.arm(this, listener.requestBody);
    }

    /** Restarts the body timeout after a chunk arrived or reading resumed. */
    void bodyRead() {
        lastBodyRead = wheel.now();
    }

    /**
     * Returns the time, in nanoseconds, since a part of the body was last read; 0 if the client is not the cause of the
     * wait.
     */
    long bodySilence() {
        // The client is not the cause if reading is paused, or if the client waits for a 100.
        boolean heldBack = reading.isBodyPaused() || progress.expectsContinue();
        return heldBack ? 0 : wheel.now() - lastBodyRead;
    }

    /** Starts the write timeout of a client whose pending bytes exceed the watermark. */
    void awaitReader() {
        writeProgress.stalledSince(wheel.now());
        boolean bodyToo = progress.isServing() && !progress.isRequestEnded();
        wheel.arm(this, bodyToo ? Math.min(nextSample(), listener.requestBody) : nextSample());
    }

    /** Watches the transmission of the last response, after which the connection closes. */
    void awaitLastBytes() {
        wheel.arm(this, nextSample());
    }

    /** Waits until the client closes the connection after the last response. */
    void awaitFarewell() {
        wheel.arm(this, LINGER);
    }

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

    /** Returns whether the last response is still being sent and makes progress. */
    private boolean isSending() {
        return writeProgress.isPending() && writeTimeLeft() > 0;
    }

    /** Returns the sampling interval of write progress, which is also the maximum delay in detecting a stall. */
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
