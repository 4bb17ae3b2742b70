package dev.lychgate.server.logwriter;

import java.util.concurrent.atomic.LongAdder;
import org.jctools.queues.MessagePassingQueue;
import org.jctools.queues.atomic.MpscAtomicArrayQueue;

/**
 * Connects the threads that log with the writer: bounded, lock-free, many to one. A thread that finds it full continues
 * without its item. (The variant on AtomicReferenceArray: the others use sun.misc.Unsafe, of which newer JDKs warn.)
 */
public final class LogQueue<T> {
    private final MpscAtomicArrayQueue<T> items;
    private final LongAdder dropped = new LongAdder();
    private volatile boolean abandoned;

    /** @param capacity how many items may wait; rounded up to a power of two */
    public LogQueue(int capacity) {
        this.items = new MpscAtomicArrayQueue<>(capacity);
    }

    /** Never waits, never fails; any thread. @return whether the item was queued; if not, it is counted as dropped */
    public boolean offer(T item) {
        boolean queued = items.offer(item);
        if (!queued) {
            dropped.increment();
        }
        return queued;
    }

    /** Takes up to {@code limit} items; the writer's thread only. @return how many there were */
    int drain(MessagePassingQueue.Consumer<T> to, int limit) {
        return items.drain(to, limit);
    }

    boolean isEmpty() {
        return items.isEmpty();
    }

    /** Counts items that could not be written. */
    public void lost(long count) {
        dropped.add(count);
    }

    /** Ends the queue: no writer takes anything more, and the queued items are lost. */
    public void abandon() {
        abandoned = true;
    }

    public boolean isAbandoned() {
        return abandoned;
    }

    /** Returns how many items were lost. */
    public long dropped() {
        return dropped.sum() + (abandoned ? items.size() : 0);
    }
}
