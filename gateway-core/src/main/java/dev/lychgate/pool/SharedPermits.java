package dev.lychgate.pool;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

/**
 * A limit too small to be divided among the loops: one count for all of them. Lock-free; a loop that found none is told
 * when another one has given one back, and loops that keep idle connections are asked to close one for it.
 *
 * <p>Neither news can be missed: whoever waits first enlists and then looks for offers, whoever keeps a connection first
 * offers it and then looks for those who wait.
 */
final class SharedPermits {
    private final AtomicInteger left;
    private final ConcurrentLinkedQueue<Runnable> waiting = new ConcurrentLinkedQueue<>();
    private final ConcurrentLinkedQueue<Runnable> offers = new ConcurrentLinkedQueue<>();

    SharedPermits(int total) {
        this.left = new AtomicInteger(total);
    }

    /** The view of one loop. @param loop where its waiters are called */
    Permits of(Executor loop) {
        return new View(loop);
    }

    private void wakeOne() {
        Runnable first = waiting.poll();
        if (first != null) {
            first.run();
        }
    }

    /** Asks one loop that has offered an idle connection to close it. */
    private void recallOne() {
        Runnable first = offers.poll();
        if (first != null) {
            first.run();
        }
    }

    private final class View implements Permits {
        private final Executor loop;
        private boolean enlisted;
        private boolean offered;

        View(Executor loop) {
            this.loop = loop;
        }

        @Override
        public boolean tryAcquire() {
            int n = left.get();
            while (n > 0) {
                if (left.compareAndSet(n, n - 1)) {
                    return true;
                }
                n = left.get();
            }
            return false;
        }

        @Override
        public void release() {
            left.incrementAndGet();
            wakeOne();
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
                // We may have needed none any more, and the news was meant for somebody.
                if (left.get() > 0) {
                    wakeOne();
                }
            }));
            // One may have been given back between our asking and our enlisting; nobody would have told us.
            if (left.get() > 0) {
                wakeOne();
            } else {
                recallOne();
            }
        }

        @Override
        public void offer(BooleanSupplier giveUp) {
            if (offered) {
                return;
            }
            offered = true;
            offers.add(() -> loop.execute(() -> {
                offered = false;
                if (!giveUp.getAsBoolean()) {
                    recallOne();
                }
            }));
        }

        @Override
        public boolean isContended() {
            return !waiting.isEmpty();
        }
    }
}
