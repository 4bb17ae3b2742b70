package dev.lychgate.server.push;

import dev.lychgate.server.push.PushQueue.Payload;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.zip.GZIPOutputStream;

/**
 * Sends bodies to one URL by POST, one at a time, in the order in which they were offered. A daemon thread sends them.
 *
 * <ul>
 *   <li>If the receiver is unavailable, the push sends the body again. The pauses between attempts grow from a second
 *       to half a minute. When {@link PushTarget#patience()} has elapsed, the body is dropped. The statuses 408, 429
 *       and 5xx also count as unavailable.
 *   <li>If the receiver rejects the body, the body is dropped at once.
 *   <li>If a response is lost, the body is sent again, so it may arrive twice.
 * </ul>
 *
 * Dropped bodies are counted. Thread-safe.
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
        this(name, target, backOff, body -> Map.of());
    }

    private HttpPush(String name, PushTarget target, BackOff backOff, Function<byte[], Map<String, String>> headers) {
        this.target = target;
        this.queue = new PushQueue(target.queueBytes());
        this.client = new PushClient(name, target, headers);
        this.backOff = backOff;
        this.complaints = new PushComplaints(name, target, queue);
        this.thread = new Thread(this::run, "lychgate-push-" + name);
        thread.setDaemon(true);
        thread.start();
    }

    /**
     * Starts a push with its thread, which sends nothing before the first offer.
     *
     * @param name name of the receiver in one word, for the log and the thread, such as {@code opentsdb}
     */
    public static HttpPush start(String name, PushTarget target) {
        return new HttpPush(name, target, BackOff.usual());
    }

    /**
     * Starts a push with additional headers.
     *
     * @param headers returns the header fields of a body, such as its signature; called on the thread of the push
     */
    public static HttpPush start(String name, PushTarget target, Function<byte[], Map<String, String>> headers) {
        return new HttpPush(name, target, BackOff.usual(), headers);
    }

    /**
     * Queues a body. Never waits.
     *
     * @param body must not be modified afterwards
     * @param items number of items in the body; all counts of the push are counts of items
     * @return false if the body was dropped, because the queue is full or closed
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
            // The flag is read before the queue, so that bodies that were offered before the close are still sent.
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
            // After an internal error, this body is dropped, but the thread continues.
            complaints.refused(e.getClass().getSimpleName());
        } finally {
            if (delivered) {
                queue.delivered(payload);
            } else {
                queue.dropped(payload);
            }
        }
    }

    /**
     * Sends a body, with retries.
     *
     * @return whether the receiver accepted the body
     */
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

    /**
     * Pauses between attempts. A body is dropped only after its last pause, so that the next body is not sent
     * immediately after a failure.
     */
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

    /** Adds {@code items} to the count of dropped items, for items that were lost before they could be offered. */
    public void lost(int items) {
        queue.lost(items);
    }

    /** Returns whether the push is closed and has sent or dropped all items. */
    boolean hasEnded() {
        return !thread.isAlive() && closing;
    }

    /** Returns the number of items that the receiver acknowledged. */
    public long deliveredItems() {
        return queue.deliveredItems();
    }

    /**
     * Returns the number of items that were dropped because the queue was full, the receiver rejected them, the time
     * limit elapsed, or the push was closed. If the response to a request was lost, dropped items of this request may
     * have arrived nevertheless.
     */
    public long droppedItems() {
        return queue.droppedItems();
    }

    /** Returns the number of requests without a 2xx response. */
    public long failedTries() {
        return failedTries;
    }

    /** Returns the number of items that are queued or being sent. */
    public long waitingItems() {
        return queue.waitingItems();
    }

    /**
     * Accepts no further bodies, sends the queued bodies, and ends the thread.
     *
     * @param within time limit; bodies that are not sent by then are dropped and counted
     */
    public void close(Duration within) {
        queue.shut();
        closing = true;
        LockSupport.unpark(thread);
        if (!ends(within)) {
            abandoned = true;
            thread.interrupt();
            // The interrupted thread ends soon, unless it is looking up the receiver's name: only this lookup ignores
            // interrupts.
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

    /** Calls {@link #close(Duration)} with five seconds. */
    @Override
    public void close() {
        close(USUAL_END);
    }
}
