package dev.lychgate.server.logwriter;

import java.util.concurrent.atomic.LongAdder;
import org.jctools.queues.MessagePassingQueue;
import org.jctools.queues.atomic.MpscAtomicArrayQueue;

/**
 * The queue between logging threads and the writer: bounded, lock-free, multi-producer, single-consumer. If the queue
 * is full, the item is dropped. The implementation uses AtomicReferenceArray instead of sun.misc.Unsafe, because newer
 * JDKs warn of the use of Unsafe.
 */
public final class LogQueue<T> {
    private final MpscAtomicArrayQueue<T> items;
    private final LongAdder dropped = new LongAdder();
    private volatile boolean abandoned;

    /** @param capacity capacity in items, which is rounded up to a power of two */
    public LogQueue(int capacity) {
        this.items = new MpscAtomicArrayQueue<>(capacity);
    }

    /**
     * Queues an item without waiting. May be called on any thread. Returns false if the queue is full; the item is then
     * counted as dropped.
     */
    public boolean offer(T item) {
        boolean queued = items.offer(item);
        if (!queued) {
            dropped.increment();
        }
        return queued;
    }

    /** Dequeues up to {@code limit} items and returns their number. Must be called on the writer thread. */
    int drain(MessagePassingQueue.Consumer<T> to, int limit) {
        return items.drain(to, limit);
    }

    boolean isEmpty() {
        return items.isEmpty();
    }

    /** Adds {@code count} to the number of lost items, for items that were not written. */
    public void lost(long count) {
        dropped.add(count);
    }

    /** Ends the queue. The queued items are lost, and the writer receives no further items. */
    public void abandon() {
        abandoned = true;
    }

    public boolean isAbandoned() {
        return abandoned;
    }

    /** Returns the number of lost items. */
    public long dropped() {
        return dropped.sum() + (abandoned ? items.size() : 0);
    }
}
