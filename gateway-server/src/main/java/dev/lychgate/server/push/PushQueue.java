package dev.lychgate.server.push;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * The queue of payloads to send, limited by their total bytes, with the counts of delivered and dropped items. A taken
 * payload counts against the limit until it is reported as delivered or dropped. No method blocks. Thread-safe.
 */
final class PushQueue {
    /** A queued body. Payloads are compared by identity, because equal bodies are distinct payloads. */
    static final class Payload {
        final byte[] body;
        final int items;

        Payload(byte[] body, int items) {
            this.body = body;
            this.items = items;
        }
    }

    private final ConcurrentLinkedQueue<Payload> payloads = new ConcurrentLinkedQueue<>();
    private final long capacity;
    private final AtomicLong bytes = new AtomicLong();
    private final AtomicLong items = new AtomicLong();
    private final LongAdder delivered = new LongAdder();
    private final LongAdder dropped = new LongAdder();
    private volatile boolean shut;

    /** @param capacity limit in bytes of payloads */
    PushQueue(long capacity) {
        this.capacity = capacity;
    }

    /**
     * Queues a payload.
     *
     * @return false if the queue is full or shut; the payload is then counted as dropped
     */
    boolean offer(Payload payload) {
        int length = payload.body.length;
        items.addAndGet(payload.items);
        if (bytes.addAndGet(length) > capacity || shut) {
            dropped(payload);
            return false;
        }
        payloads.add(payload);
        // If the queue was shut in the meantime, it may never be polled again. The payload is then removed here and
        // counted, unless another thread has already taken it.
        if (shut && payloads.remove(payload)) {
            dropped(payload);
            return false;
        }
        return true;
    }

    /**
     * Takes the oldest payload.
     *
     * @return null if the queue is empty
     */
    @Nullable
    Payload take() {
        return payloads.poll();
    }

    void delivered(Payload payload) {
        gone(payload);
        delivered.add(payload.items);
    }

    void dropped(Payload payload) {
        gone(payload);
        dropped.add(payload.items);
    }

    /** Adds {@code count} to the count of dropped items, for items that were never offered. */
    void lost(int count) {
        dropped.add(count);
    }

    private void gone(Payload payload) {
        bytes.addAndGet(-payload.body.length);
        items.addAndGet(-payload.items);
    }

    /** Makes {@link #offer} drop all payloads that are offered after this call. Queued payloads can still be taken. */
    void shut() {
        shut = true;
    }

    void dropRest() {
        for (Payload payload = take(); payload != null; payload = take()) {
            dropped(payload);
        }
    }

    long deliveredItems() {
        return delivered.sum();
    }

    long droppedItems() {
        return dropped.sum();
    }

    /** Returns the number of queued items, including items of the payload that is being sent. */
    long waitingItems() {
        return items.get();
    }
}
