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
 * Runs tasks sequentially in submission order, on its own thread, which starts with the first task. Tasks may block. Event
 * loops dispatch work to it: unlike the JDK's executors it has no lock.
 */
public final class SerialExecutor implements Executor, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SerialExecutor.class);

    /** How long an idle thread waits for the next task, in milliseconds, unless it is permanent. */
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

    /** Returns an executor with a thread that ends after some idle seconds. @param name of the thread */
    public static SerialExecutor passing(String name) {
        return new SerialExecutor(name, LINGER);
    }

    /** Returns an executor with a thread that runs until close: for frequent or critical tasks. @param name of the thread */
    public static SerialExecutor lasting(String name) {
        return new SerialExecutor(name, Long.MAX_VALUE);
    }

    /**
     * Queues a task. Any thread; does not wait, but starts the thread if there is none. Exceptions of the task are logged.
     *
     * @throws RejectedExecutionException if this is closed or no thread can be created; the task does not run then
     */
    @Override
    public void execute(Runnable task) {
        tasks.add(task);
        if (closed) {
            reject(task, "accepts no further tasks", null);
        } else if (thread.get() == null) {
            try {
                startUnlessThereIsOne();
            } catch (RuntimeException | Error e) {
                reject(task, "cannot be started", e);
            }
        }
    }

    /** Does nothing if the task has started. */
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
                // A task submitted in between saw this thread, and started no other.
            } while (!closed && !tasks.isEmpty() && thread.compareAndSet(null, self));
        } finally {
            // Only a lack of memory ends the loop with an exception; the next task must not rely on the dead thread.
            thread.compareAndSet(self, null);
        }
    }

    private @Nullable Runnable next() {
        while (!closed) {
            try {
                return tasks.poll(linger, TimeUnit.MILLISECONDS);
            } catch (InterruptedException e) {
                // The interrupt was meant for the previous task, unless this is closed.
            }
        }
        return null;
    }

    private void run(Runnable task) {
        // Clear an interrupt left by the previous task; the closed flag records the one from close().
        if (Thread.interrupted() && closed) {
            return;
        }
        try {
            task.run();
        } catch (Throwable e) {
            LOG.error("a task of {} failed", name, e);
        }
    }

    /** Interrupts the running task and drops queued ones. Any thread; does not wait. */
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
