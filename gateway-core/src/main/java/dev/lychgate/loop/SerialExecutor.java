package dev.lychgate.loop;

import java.util.concurrent.Executor;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs tasks one after the other, in the order in which they came, on a thread of its own that begins with the first of them
 * and may block. Made for event loops to hand work to: unlike the executors of the JDK it has no lock.
 */
public final class SerialExecutor implements Executor, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SerialExecutor.class);

    /** How long an idle thread waits for the next task, in milliseconds, unless it stays. */
    private static final long LINGER = TimeUnit.SECONDS.toMillis(5);

    private final String name;
    private final ThreadFactory factory;
    private final long linger;
    private final LinkedTransferQueue<Runnable> tasks = new LinkedTransferQueue<>();
    private final AtomicReference<@Nullable Thread> thread = new AtomicReference<>();
    private volatile boolean closed;

    SerialExecutor(String name, ThreadFactory factory, long linger) {
        this.name = name;
        this.factory = factory;
        this.linger = linger;
    }

    private SerialExecutor(String name, long linger) {
        this(name, task -> new Thread(task, name), linger);
    }

    /** One whose thread ends when there has been nothing to do for some seconds. @param name of the thread */
    public static SerialExecutor passing(String name) {
        return new SerialExecutor(name, LINGER);
    }

    /** One whose thread stays until this is closed: for tasks that come often, or must not fail. @param name of the thread */
    public static SerialExecutor lasting(String name) {
        return new SerialExecutor(name, Long.MAX_VALUE);
    }

    /**
     * Any thread; never waits, but starts the thread if there is none. What the task throws is logged.
     *
     * @throws RejectedExecutionException if this is closed, or the system has no thread to give; the task won't be run then
     */
    @Override
    public void execute(Runnable task) {
        tasks.add(task);
        if (closed) {
            reject(task, "takes nothing more", null);
        } else if (thread.get() == null) {
            try {
                startUnlessThereIsOne();
            } catch (RuntimeException | Error e) {
                reject(task, "can't be started", e);
            }
        }
    }

    /** Does nothing if somebody has begun with it by now. */
    private void reject(Runnable task, String why, @Nullable Throwable cause) {
        if (tasks.remove(task)) {
            throw new RejectedExecutionException(name + ' ' + why, cause);
        }
    }

    private void startUnlessThereIsOne() {
        Thread next = factory.newThread(this::run);
        next.setDaemon(true);
        if (thread.compareAndSet(null, next)) {
            boolean started = false;
            try {
                next.start();
                started = true;
            } finally {
                if (!started) {
                    thread.set(null);
                }
            }
        }
    }

    private void run() {
        Thread self = Thread.currentThread();
        try {
            do {
                for (Runnable task = next(); task != null; task = next()) {
                    run(task);
                }
                thread.set(null);
                // A task that came in between has met this thread, and started none.
            } while (!closed && !tasks.isEmpty() && thread.compareAndSet(null, self));
        } finally {
            // Nothing comes through here but a lack of memory; the next task is to find no dead thread.
            thread.compareAndSet(self, null);
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
        // The task before may have left it; what close() means by it stands in closed.
        if (Thread.interrupted() && closed) {
            return;
        }
        try {
            task.run();
        } catch (Throwable e) {
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
