package dev.lychgate.listener;

import dev.lychgate.http2.Http2Stream;
import dev.lychgate.loop.Deadline;
import dev.lychgate.loop.DeadlineWheel;
import dev.lychgate.loop.Headroom;
import io.netty.channel.Channel;
import java.util.concurrent.TimeUnit;

/**
 * Detects slow and idle HTTP/2 clients. One deadline per connection samples all streams of the connection periodically,
 * so a healthy stream arms no deadline.
 */
final class StreamWatch extends Deadline {
    /** Time, in nanoseconds, for which new streams are accepted after the first GOAWAY of a shutdown. */
    private static final long ANNOUNCED = TimeUnit.SECONDS.toNanos(1);
    /**
     * Time for which a client may continue to send after GOAWAY. After this time, the connection is closed immediately.
     */
    private static final long LINGER = TimeUnit.SECONDS.toNanos(2);

    /** Write timeout while memory is scarce. Other clients need the memory that a stalled client occupies. */
    private static final long SCARCE = TimeUnit.SECONDS.toNanos(2);

    private static final int SAMPLES = 16;
    private static final long SHORTEST_SAMPLE = TimeUnit.MILLISECONDS.toNanos(100);

    private final Http2ServerConnection connection;
    private final ListenerContext listener;
    private final DeadlineWheel wheel;
    private final WriteProgress writeProgress;
    private final long sample;
    private long idleSince;
    private long withinHeadSince;
    private boolean withinHead;
    private long messagesRead;
    private boolean sampling;
    private boolean lastBytes;

    StreamWatch(Http2ServerConnection connection, ListenerContext listener, DeadlineWheel wheel, Channel channel) {
        this.connection = connection;
        this.listener = listener;
        this.wheel = wheel;
        this.writeProgress = new WriteProgress(channel);
        long shortest = Math.min(listener.write, Math.min(listener.requestBody, listener.requestHead));
        this.sample = Math.max(SHORTEST_SAMPLE, shortest / SAMPLES);
    }

    void begin() {
        idleSince = wheel.now();
        onStream();
    }

    /** Starts sampling for a stream. */
    void onStream() {
        if (!sampling) {
            sampling = true;
            wheel.arm(this, sample);
        }
    }

    void onNoStream() {
        idleSince = wheel.now();
    }

    /** Starts the grace period after the shutdown notification. */
    void awaitLastStreams() {
        sampling = true;
        wheel.arm(this, ANNOUNCED);
    }

    /** Waits until the pending responses and the final GOAWAY are sent. */
    void awaitLastBytes() {
        lastBytes = true;
        wheel.arm(this, sample);
    }

    /** Waits until the client closes the connection, after the final GOAWAY was sent or after a connection error. */
    void awaitFarewell() {
        wheel.arm(this, LINGER);
    }

    void stop() {
        wheel.remove(this);
    }

    @Override
    protected void onDeadline() {
        if (connection.isDead()) {
            if (lastBytes && writeProgress.isPending() && !isNothingTaken(wheel.now(), listener.write)) {
                wheel.arm(this, sample);
            } else {
                connection.closeNow();
            }
            return;
        }
        if (connection.isAnnounced()) {
            connection.takeLast();
        }
        if (!connection.isDead()) {
            look();
        }
    }

    private void look() {
        long now = wheel.now();
        long writeLimit = Headroom.isScarce() ? Math.min(SCARCE, listener.write) : listener.write;
        if (isHeadLate(now)) {
            connection.onHeadTimeout();
        } else if (isNothingTaken(now, writeLimit)) {
            connection.onWriteStalled();
        } else if (connection.streams().count() > 0) {
            for (Http2Stream stream : connection.streams().open()) {
                ((ServerStream) stream).look(now, listener.requestBody, writeLimit);
            }
            wheel.arm(this, sample);
        } else {
            lookAtIdle(now);
        }
    }

    private void lookAtIdle(long now) {
        long left = listener.idle - (now - idleSince);
        if (withinHead || writeProgress.isPending()) {
            wheel.arm(this, sample);
        } else if (left <= 0) {
            connection.onIdle();
        } else {
            // Nothing is sampled before this deadline. A head that begins in the meantime is detected at the deadline.
            sampling = left <= sample;
            wheel.arm(this, Math.min(left, Math.max(sample, listener.requestHead)));
        }
    }

    private boolean isHeadLate(long now) {
        long read = connection.messages();
        if (!connection.isWithinMessage()) {
            withinHead = false;
        } else if (!withinHead || read != messagesRead) {
            // A busy connection almost always has an incomplete frame. A frame counts as late if it stays incomplete
            // between two samples.
            withinHead = true;
            withinHeadSince = now;
        }
        messagesRead = read;
        return withinHead && now - withinHeadSince >= listener.requestHead;
    }

    private boolean isNothingTaken(long now, long limit) {
        // A sample is taken at each call, to avoid a comparison with an outdated sample.
        long since = writeProgress.stalledSince(now);
        return writeProgress.isPending() && now - since >= limit;
    }
}
