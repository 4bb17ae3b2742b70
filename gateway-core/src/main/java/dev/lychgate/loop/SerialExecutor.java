package dev.lychgate.loop;

import java.util.concurrent.Executor;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs tasks one after the other, in the order in which they came, on a thread that is there only while there are any, and
 * may block. Made for event loops to hand work to: unlike the executors of the JDK it takes no lock, not even where it starts
 * its thread.
 */
public final class SerialExecutor implements Executor, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SerialExecutor.class);

    /** How long an idle thread waits for the next task, in milliseconds. */
    private static final long LINGER = TimeUnit.SECONDS.toMillis(5);

    private final String name;
    private final long linger;
    private final LinkedTransferQueue<Runnable> tasks = new LinkedTransferQueue<>();
    private final AtomicReference<@Nullable Thread> thread = new AtomicReference<>();
    private volatile boolean closed;

    /** @param name of its thread */
    public SerialExecutor(String name) {
        this(name, LINGER);
    }

    SerialExecutor(String name, long linger) {
        this.name = name;
        this.linger = linger;
    }

    /**
     * Any thread; never waits. What the task throws is logged.
     *
     * @throws RejectedExecutionException if this is closed
     */
    @Override
    public void execute(Runnable task) {
        if (closed) {
            throw new RejectedExecutionException(name + " takes nothing more");
        }
        tasks.add(task);
        startIfThereIsNone();
    }

    private void startIfThereIsNone() {
        if (thread.get() == null) {
            Thread next = new Thread(this::run, name);
            next.setDaemon(true);
            if (thread.compareAndSet(null, next)) {
                start(next);
            }
        }
    }

    private void start(Thread next) {
        try {
            next.start();
        } catch (OutOfMemoryError e) {
            // The system has no thread to give. What waits is run when the next task comes at a better time.
            thread.set(null);
            LOG.error("{} can't be started: {}", name, e.getMessage());
        }
    }

    private void run() {
        for (Runnable task = next(); task != null; task = next()) {
            run(task);
        }
        thread.set(null);
        // One that came in between has met this thread, and started none.
        if (!closed && !tasks.isEmpty()) {
            startIfThereIsNone();
        }
    }

    private @Nullable Runnable next() {
        while (!closed) {
            try {
                return tasks.poll(linger, TimeUnit.MILLISECONDS);
            } catch (InterruptedException e) {
                // Meant for the task before, unless this has been closed.
            }
        }
        return null;
    }

    private void run(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException | Error e) {
            LOG.error("a task of {} failed", name, e);
        }
    }

    /** Interrupts the task under way, and drops those that wait. Any thread; does not wait. */
    @Override
    public void close() {
        closed = true;
        tasks.clear();
        Thread running = thread.get();
        if (running != null) {
            running.interrupt();
        }
    }
}
