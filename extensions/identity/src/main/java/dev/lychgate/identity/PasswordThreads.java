package dev.lychgate.identity;

import dev.lychgate.loop.SerialExecutor;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;

/**
 * The threads of one authenticator {@code basic}. The threads that verify tokens are separate: hashing a password takes
 * a thousand times as long as verifying a signature, and clients can cause any number of hashes. A thread ends after 5
 * seconds without work. Submitting work requires no lock.
 *
 * <p>Work is rejected at once if it would probably not be done within {@link #LONGEST}. The result of such work would
 * arrive after the timeout of the authentication, and its computation would delay other requests. The estimate is based
 * on recent durations.
 */
final class PasswordThreads implements Executor, AutoCloseable {
    /**
     * The longest accepted estimate of the time until work is done. It is shorter than the timeout of an
     * authentication.
     */
    static final Duration LONGEST = Duration.ofSeconds(4);
    /**
     * The shortest duration of work that counts in the estimate. Work that takes less time has not computed a hash,
     * because the client had disconnected or the verdict had been stored in the meantime.
     */
    private static final long SHORTEST_HASH = Duration.ofMillis(1).toNanos();
    /** The weight of the latest duration in the estimate is the inverse of this number. */
    private static final int SMOOTHING = 4;

    private final int queue;
    private final LongSupplier clock;
    private final List<Worker> workers;
    private final Queue<Runnable> waiting = new ConcurrentLinkedQueue<>();
    private final AtomicInteger count = new AtomicInteger();
    /**
     * The expected duration of work, in nanoseconds; 0 before the first work ends. If several threads update this field
     * at the same time, updates may be lost.
     */
    private volatile long expected;

    /**
     * Creates threads with the clock of the system.
     *
     * @param queue the maximum number of tasks that wait for a thread
     */
    PasswordThreads(int threads, int queue) {
        this(threads, queue, System::nanoTime);
    }

    /** @param clock the time in nanoseconds */
    PasswordThreads(int threads, int queue, LongSupplier clock) {
        this.queue = queue;
        this.clock = clock;
        this.workers = IntStream.rangeClosed(1, threads)
                .mapToObj(number -> new Worker(SerialExecutor.passing("lychgate-passwords-" + number)))
                .toList();
    }

    private final class Worker implements Runnable {
        private final SerialExecutor thread;
        private final AtomicBoolean active = new AtomicBoolean();

        Worker(SerialExecutor thread) {
            this.thread = thread;
        }

        /**
         * Starts this worker if it is idle.
         *
         * @return whether it was idle
         */
        boolean wake() {
            if (!active.compareAndSet(false, true)) {
                return false;
            }
            try {
                thread.execute(this);
                return true;
            } catch (RejectedExecutionException e) {
                active.set(false);
                throw e;
            }
        }

        @Override
        public void run() {
            do {
                for (Runnable work = waiting.poll(); work != null; work = waiting.poll()) {
                    count.decrementAndGet();
                    long begin = clock.getAsLong();
                    work.run();
                    took(clock.getAsLong() - begin);
                }
                active.set(false);
                // Work that was submitted just before this worker became idle has started no worker. Therefore, this
                // worker checks the queue again.
            } while (!waiting.isEmpty() && active.compareAndSet(false, true));
        }
    }

    /**
     * Queues work, which must not throw.
     *
     * @throws RejectedExecutionException if the queue is full, the work would be done too late, or no thread can be
     *     started
     */
    @Override
    public void execute(Runnable work) {
        int waits = count.incrementAndGet();
        if (waits > queue || isTooLate(waits)) {
            count.decrementAndGet();
            throw new RejectedExecutionException("the queue is full");
        }
        waiting.add(work);
        try {
            for (Worker worker : workers) {
                if (worker.wake()) {
                    return;
                }
            }
        } catch (RejectedExecutionException e) {
            if (waiting.remove(work)) {
                count.decrementAndGet();
                throw e;
            }
        }
    }

    /**
     * Returns whether the last of {@code waits} waiting tasks would be done too late. If only one task waits, it is
     * never too late.
     */
    private boolean isTooLate(int waits) {
        return waits > 1 && expected * waits / workers.size() > LONGEST.toNanos();
    }

    private void took(long nanos) {
        if (nanos >= SHORTEST_HASH) {
            long before = expected;
            expected = before == 0 ? nanos : before + (nanos - before) / SMOOTHING;
        }
    }

    @Override
    public void close() {
        workers.forEach(worker -> worker.thread.close());
    }
}
