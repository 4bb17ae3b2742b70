package dev.lychgate.pool;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A limit too small to be divided among the loops: one count for all of them. Lock-free; a loop that found none is told
 * when another one has given one back.
 */
final class SharedPermits {
    private final AtomicInteger left;
    private final ConcurrentLinkedQueue<Runnable> waiting = new ConcurrentLinkedQueue<>();

    SharedPermits(int total) {
        this.left = new AtomicInteger(total);
    }

    /** The view of one loop. @param loop where its waiters are called */
    Permits of(Executor loop) {
        return new View(loop);
    }

    private boolean tryAcquire() {
        int n = left.get();
        while (n > 0) {
            if (left.compareAndSet(n, n - 1)) {
                return true;
            }
            n = left.get();
        }
        return false;
    }

    private void release() {
        left.incrementAndGet();
        wakeOne();
    }

    private void wakeOne() {
        Runnable first = waiting.poll();
        if (first != null) {
            first.run();
        }
    }

    private final class View implements Permits {
        private final Executor loop;
        private boolean enlisted;

        View(Executor loop) {
            this.loop = loop;
        }

        @Override
        public boolean tryAcquire() {
            return SharedPermits.this.tryAcquire();
        }

        @Override
        public void release() {
            SharedPermits.this.release();
        }

        @Override
        public void awaitRelease(Runnable retry) {
            if (enlisted) {
                return;
            }
            enlisted = true;
            waiting.add(() -> loop.execute(() -> {
                enlisted = false;
                retry.run();
            }));
            // One may have been given back between our asking and our enlisting; nobody would have told us.
            if (left.get() > 0) {
                wakeOne();
            }
        }

        @Override
        public boolean isContended() {
            return !waiting.isEmpty();
        }
    }
}
