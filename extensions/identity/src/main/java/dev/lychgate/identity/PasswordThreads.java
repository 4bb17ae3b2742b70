package dev.lychgate.identity;

import dev.lychgate.loop.SerialExecutor;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/**
 * The threads of one {@code basic}. They are separate from those that verify tokens, because a hash of a password takes a thousand
 * times as long as a signature, and clients can request any number of hashes. A thread ends after 5 seconds without work.
 * Submitting work requires no lock.
 */
final class PasswordThreads implements Executor, AutoCloseable {
    private final int queue;
    private final List<Worker> workers;
    private final Queue<Runnable> waiting = new ConcurrentLinkedQueue<>();
    private final AtomicInteger count = new AtomicInteger();

    /** @param queue the maximum number of tasks that wait for a thread */
    PasswordThreads(int threads, int queue) {
        this.queue = queue;
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

        /** Starts this worker if it is idle. @return whether it was idle */
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
                    work.run();
                }
                active.set(false);
                // Work that was submitted before this worker became idle has started no worker.
            } while (!waiting.isEmpty() && active.compareAndSet(false, true));
        }
    }

    /**
     * Queues work, which must not throw.
     *
     * @throws RejectedExecutionException if the queue is full, or no thread can be started
     */
    @Override
    public void execute(Runnable work) {
        if (count.incrementAndGet() > queue) {
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

    @Override
    public void close() {
        workers.forEach(worker -> worker.thread.close());
    }
}
