package dev.lychgate.gateway;

import dev.lychgate.limit.BucketStore;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** A store of buckets that never regain a unit, whose responses a test may hold back. It responds on a separate thread. */
final class HeldStore implements BucketStore, AutoCloseable {
    private record Asked(Bucket bucket, long owed, long wanted, Outcome outcome) {}

    private static final long LONG = TimeUnit.SECONDS.toNanos(10);

    private final LinkedTransferQueue<Asked> asked = new LinkedTransferQueue<>();
    private final BlockingQueue<Asked> held = new LinkedTransferQueue<>();
    private final Map<String, Long> used = new HashMap<>();
    private final AtomicInteger questions = new AtomicInteger();
    private final Thread thread = new Thread(this::respond, "held-store");
    private final long deadline;
    private volatile boolean holds;

    HeldStore(long deadlineMillis) {
        deadline = TimeUnit.MILLISECONDS.toNanos(deadlineMillis);
        thread.setDaemon(true);
        thread.start();
    }

    /** Holds back responses from now on. */
    void hold() {
        holds = true;
    }

    /** Gives all responses that were held back, and no longer holds any back. */
    void release() {
        holds = false;
        held.drainTo(asked);
    }

    int questions() {
        return questions.get();
    }

    private void respond() {
        try {
            while (true) {
                Asked next = asked.take();
                if (holds) {
                    held.add(next);
                } else {
                    long before = used.getOrDefault(next.bucket.name(), 0L) + next.owed;
                    long left = next.bucket.burst() - before;
                    long granted = Math.max(0, Math.min(left, next.wanted));
                    used.put(next.bucket.name(), before + granted);
                    left -= granted;
                    next.outcome.granted(granted, left, left > 0 ? 0 : Math.max(LONG, (long) next.bucket.interval()));
                }
            }
        } catch (InterruptedException e) {
            // The test is over.
        }
    }

    @Override
    public void ask(Bucket bucket, long owed, long wanted, Outcome outcome) {
        questions.incrementAndGet();
        asked.add(new Asked(bucket, owed, wanted, outcome));
    }

    @Override
    public int parts() {
        return 1;
    }

    @Override
    public int partOf(String name) {
        return 0;
    }

    @Override
    public int gateways() {
        return 2;
    }

    @Override
    public long deadline() {
        return deadline;
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}
