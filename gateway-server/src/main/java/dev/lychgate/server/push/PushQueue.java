package dev.lychgate.server.push;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * What waits to be sent, bounded by its bytes, and what became of the rest. Nobody waits here. A payload that was taken
 * still counts against the bound until it is said to be delivered or dropped. Any thread.
 */
final class PushQueue {
    /** One body that waits to be sent. Compared by identity: two that look alike are two. */
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

    /** @param capacity in bytes of payloads */
    PushQueue(long capacity) {
        this.capacity = capacity;
    }

    /** @return false if there was no room for it, or nobody takes anything any more; it is counted as dropped */
    boolean offer(Payload payload) {
        int length = payload.body.length;
        items.addAndGet(payload.items);
        if (bytes.addAndGet(length) > capacity || shut) {
            dropped(payload);
            return false;
        }
        payloads.add(payload);
        // Shut meanwhile, and perhaps nobody looks again: whoever removes it counts it.
        if (shut && payloads.remove(payload)) {
            dropped(payload);
            return false;
        }
        return true;
    }

    /** @return null if nothing waits */
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

    private void gone(Payload payload) {
        bytes.addAndGet(-payload.body.length);
        items.addAndGet(-payload.items);
    }

    /** Takes nothing any more; what waits may still be taken out. */
    void shut() {
        shut = true;
    }

    /** Drops all that waits. */
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

    /** Those of a payload under way included. */
    long waitingItems() {
        return items.get();
    }
}
