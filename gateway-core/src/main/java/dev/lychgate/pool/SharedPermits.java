package dev.lychgate.pool;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

/**
 * One lock-free counter of permits for all event loops, for a limit that is too small to be divided among the loops. If
 * a loop waits for a permit, another loop that has an idle connection is asked to close it. The waiting loop is
 * notified when any other loop releases a permit.
 *
 * <p>The order of steps ensures that no notification is lost. A loop registers as waiting before it checks for offers.
 * A loop with an idle connection offers the connection before it checks for waiting loops.
 */
final class SharedPermits {
    private final int total;
    private final AtomicInteger left;
    private final ConcurrentLinkedQueue<Runnable> waiting = new ConcurrentLinkedQueue<>();
    private final ConcurrentLinkedQueue<Runnable> offers = new ConcurrentLinkedQueue<>();

    SharedPermits(int total) {
        this.total = total;
        this.left = new AtomicInteger(total);
    }

    /**
     * Returns a view of the permits for one event loop.
     *
     * @param loop runs the callbacks
     */
    Permits of(Executor loop) {
        return new View(loop);
    }

    private void wakeOne() {
        Runnable first = waiting.poll();
        if (first != null) {
            first.run();
        }
    }

    /** Makes one event loop close the idle connection that it has offered, if any loop has offered one. */
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
            return tryAcquire(0);
        }

        @Override
        public int total() {
            return total;
        }

        @Override
        public boolean tryAcquire(int spare) {
            int n = left.get();
            while (n > spare) {
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
                // This loop may no longer need the permit, but another waiting loop may need it.
                if (left.get() > 0) {
                    wakeOne();
                }
            }));
            // A permit may have been released after the failed acquire and before this loop registered itself. That
            // release did not notify this loop.
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
