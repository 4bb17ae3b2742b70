package dev.lychgate.listener;

import dev.lychgate.http2.Http2Stream;
import dev.lychgate.loop.Deadline;
import dev.lychgate.loop.DeadlineWheel;
import dev.lychgate.loop.Headroom;
import io.netty.channel.Channel;
import java.util.concurrent.TimeUnit;

/**
 * Watches over a slow or silent client that speaks HTTP/2: one deadline per connection, which looks now and then at
 * whatever is awaited. Streams that are in order cost it nothing when they begin and end.
 */
final class StreamWatch extends Deadline {
    /** How long new streams are taken after the end has been announced. */
    private static final long ANNOUNCED = TimeUnit.SECONDS.toNanos(1);
    /** How long a client may go on sending after the last word before the connection is cut. */
    private static final long LINGER = TimeUnit.SECONDS.toNanos(2);

    /** A client that takes nothing for so long is stalled while little memory is left: what waits for it is needed for others. */
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

    /** Something is under way. */
    void onStream() {
        if (!sampling) {
            sampling = true;
            wheel.arm(this, sample);
        }
    }

    /** Nothing is under way any more. */
    void onNoStream() {
        idleSince = wheel.now();
    }

    /** The end has been announced. */
    void awaitLastStreams() {
        sampling = true;
        wheel.arm(this, ANNOUNCED);
    }

    /** The last word has been written, behind answers that may be leaving slowly. */
    void awaitLastBytes() {
        lastBytes = true;
        wheel.arm(this, sample);
    }

    /** The last word has left, or the client is not worth waiting for; it is given a moment to hear it and close. */
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
            // Once around without a sample: bytes of a head that come meanwhile are seen when that time is over.
            sampling = left <= sample;
            wheel.arm(this, Math.min(left, Math.max(sample, listener.requestHead)));
        }
    }

    private boolean isHeadLate(long now) {
        long read = connection.messages();
        if (!connection.isWithinMessage()) {
            withinHead = false;
        } else if (!withinHead || read != messagesRead) {
            // On a busy connection there is hardly a moment without half a frame: it must be the same one all the time.
            withinHead = true;
            withinHeadSince = now;
        }
        messagesRead = read;
        return withinHead && now - withinHeadSince >= listener.requestHead;
    }

    private boolean isNothingTaken(long now, long limit) {
        // Asked each time, so that it is not compared with what waited long ago.
        long since = writeProgress.stalledSince(now);
        return writeProgress.isPending() && now - since >= limit;
    }
}
