package dev.lychgate.server.push;

import dev.lychgate.server.push.PushQueue.Payload;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.zip.GZIPOutputStream;

/**
 * Sends bodies to one URL by POST, in the order they were offered, one at a time, on a daemon thread of its own. A body
 * that the receiver can't take now (no connection, no answer in time, 408, 429, 5xx) is tried again with pauses that grow
 * from a second to half a minute, until {@link PushTarget#patience()} is over; one that it refuses is dropped at once. An
 * answer that is lost makes a body arrive twice. What is dropped, for whatever reason, is counted. Any thread.
 */
public final class HttpPush implements AutoCloseable {
    private static final Duration USUAL_END = Duration.ofSeconds(5);
    private static final Duration LAST_RESPITE = Duration.ofSeconds(1);

    private final PushTarget target;
    private final PushQueue queue;
    private final PushClient client;
    private final BackOff backOff;
    private final PushComplaints complaints;
    private final Thread thread;

    private volatile boolean closing;
    private volatile boolean abandoned;
    private volatile long failedTries;

    HttpPush(String name, PushTarget target, BackOff backOff) {
        this.target = target;
        this.queue = new PushQueue(target.queueBytes());
        this.client = new PushClient(name, target);
        this.backOff = backOff;
        this.complaints = new PushComplaints(name, target, queue);
        this.thread = new Thread(this::run, "lychgate-push-" + name);
        thread.setDaemon(true);
        thread.start();
    }

    /**
     * Starts its thread. Nothing is sent before something is offered.
     *
     * @param name what is sent, in a word, for the log and the thread: {@code opentsdb}
     */
    public static HttpPush start(String name, PushTarget target) {
        return new HttpPush(name, target, BackOff.usual());
    }

    /**
     * Queues a body. Never waits.
     *
     * @param body not to be changed any more
     * @param items how many things it holds; what is counted is counted in them
     * @return false if it was dropped, since the queue is full or closed
     */
    public boolean offer(byte[] body, int items) {
        boolean taken = queue.offer(new Payload(body, items));
        if (taken) {
            LockSupport.unpark(thread);
        }
        return taken;
    }

    private void run() {
        while (!abandoned) {
            // Read before the queue: what was offered before the close is sent.
            boolean last = closing;
            Payload next = queue.take();
            if (next != null) {
                deliver(next);
            } else if (last) {
                break;
            } else {
                LockSupport.park(this);
            }
        }
        queue.dropRest();
    }

    private void deliver(Payload payload) {
        boolean delivered = false;
        try {
            delivered = tried(target.gzip() ? gzip(payload.body) : payload.body);
        } catch (RuntimeException e) {
            // A fault of ours costs this body, not the thread.
            complaints.refused(e.getClass().getSimpleName());
        } finally {
            if (delivered) {
                queue.delivered(payload);
            } else {
                queue.dropped(payload);
            }
        }
    }

    /** @return whether the receiver has it */
    @SuppressWarnings("NonAtomicVolatileUpdate") // one writer, many readers
    private boolean tried(byte[] body) {
        long begun = System.nanoTime();
        do {
            Outcome outcome = client.post(body);
            if (outcome instanceof Outcome.Delivered) {
                backOff.reset();
                complaints.delivered();
                return true;
            }
            failedTries++;
            if (outcome instanceof Outcome.Refused refused) {
                complaints.refused(refused.why());
                return false;
            }
            Outcome.Failed failed = (Outcome.Failed) outcome;
            complaints.failed(failed.why());
            pause(backOff.pause(failed.retryAfter()));
        } while (!abandoned && System.nanoTime() - begun < target.patience().toNanos());
        return false;
    }

    /** After the pause, not before it, is a body given up: the next one does not come upon the heels of the last. */
    private void pause(long nanos) {
        long end = System.nanoTime() + nanos;
        for (long left = nanos; left > 0 && !abandoned; left = end - System.nanoTime()) {
            LockSupport.parkNanos(this, left);
        }
    }

    private static byte[] gzip(byte[] body) {
        ByteArrayOutputStream coded = new ByteArrayOutputStream(body.length / 4 + 64);
        try (GZIPOutputStream out = new GZIPOutputStream(coded)) {
            out.write(body);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return coded.toByteArray();
    }

    /** Items that the receiver has acknowledged. */
    public long deliveredItems() {
        return queue.deliveredItems();
    }

    /** Items that will not arrive: no room, refused, tried for too long, or closed. One whose answer was lost may have. */
    public long droppedItems() {
        return queue.droppedItems();
    }

    /** Requests that did not end in a status of 2xx. */
    public long failedTries() {
        return failedTries;
    }

    /** Items that are queued or under way. */
    public long waitingItems() {
        return queue.waitingItems();
    }

    /**
     * Takes nothing any more, sends what waits, and ends.
     *
     * @param within how long that may take; the rest is dropped and counted
     */
    public void close(Duration within) {
        queue.shut();
        closing = true;
        LockSupport.unpark(thread);
        if (!ends(within)) {
            abandoned = true;
            thread.interrupt();
            // Only a lookup of the receiver's name can't be interrupted.
            ends(LAST_RESPITE);
            queue.dropRest();
        }
    }

    private boolean ends(Duration within) {
        try {
            thread.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(within.toNanos())));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return !thread.isAlive();
    }

    /** As {@link #close(Duration)}, within five seconds. */
    @Override
    public void close() {
        close(USUAL_END);
    }
}
