package dev.lychgate.server.accesslog;

import java.util.concurrent.atomic.LongAdder;
import org.jctools.queues.MessagePassingQueue;
import org.jctools.queues.atomic.MpscAtomicArrayQueue;

/**
 * Between event loops and the writer: bounded, lock-free, many to one. A loop that finds it full goes on without its
 * record. (The variant on AtomicReferenceArray: the others stand on sun.misc.Unsafe, of which newer JDKs warn.)
 */
final class AccessLogQueue {
    private final MpscAtomicArrayQueue<AccessRecord> records;
    private final LongAdder dropped = new LongAdder();
    private volatile boolean abandoned;

    /** @param capacity how many records may wait; rounded up to a power of two */
    AccessLogQueue(int capacity) {
        this.records = new MpscAtomicArrayQueue<>(capacity);
    }

    /** Never waits, never fails; any thread. */
    void offer(AccessRecord record) {
        if (!records.offer(record)) {
            dropped.increment();
        }
    }

    /** Takes up to {@code limit} records; the writer's thread only. @return how many there were */
    int drain(MessagePassingQueue.Consumer<AccessRecord> to, int limit) {
        return records.drain(to, limit);
    }

    /** Records that were taken and could not be written. */
    void lost(long count) {
        dropped.add(count);
    }

    /** Nobody will take anything any more: what waits is lost. */
    void abandon() {
        abandoned = true;
    }

    boolean isAbandoned() {
        return abandoned;
    }

    long dropped() {
        return dropped.sum() + (abandoned ? records.size() : 0);
    }
}
