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
 * Runs tasks sequentially in the order of their submission, on its own thread. The thread starts when the first task is
 * submitted. Tasks may block. Event loops dispatch work to this executor. In contrast to the executors of the JDK,
 * submitting a task acquires no lock.
 */
public final class SerialExecutor implements Executor, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SerialExecutor.class);

    /** Time in milliseconds after which an idle thread ends, unless the thread is permanent. */
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

    /**
     * Returns an executor with a thread that ends after it has been idle for 5 s.
     *
     * @param name the name of the thread
     */
    public static SerialExecutor passing(String name) {
        return new SerialExecutor(name, LINGER);
    }

    /**
     * Returns an executor with a thread that runs until {@link #close}, for frequent or critical tasks.
     *
     * @param name the name of the thread
     */
    public static SerialExecutor lasting(String name) {
        return new SerialExecutor(name, Long.MAX_VALUE);
    }

    /**
     * Queues a task, and starts the thread if it is not running. Thread-safe; does not block. Exceptions that the task
     * throws are logged.
     *
     * @throws RejectedExecutionException if the executor is closed or no thread can be created; the task does not run
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

    /** Rejects {@code task}, unless it has already started. */
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
                // If a task was submitted before the field became null, its submitter saw this thread and therefore
                // started no other thread.
            } while (!closed && !tasks.isEmpty() && thread.compareAndSet(null, self));
        } finally {
            // Only a lack of memory ends the loop with an exception. In this case, the next task must start a new
            // thread.
            thread.compareAndSet(self, null);
        }
    }

    private @Nullable Runnable next() {
        while (!closed) {
            try {
                return tasks.poll(linger, TimeUnit.MILLISECONDS);
            } catch (InterruptedException e) {
                // The interrupt was meant for the previous task, unless the executor is closed.
            }
        }
        return null;
    }

    private void run(Runnable task) {
        // Clears an interrupt that was meant for the previous task. An interrupt from close() is detected by the closed
        // flag.
        if (Thread.interrupted() && closed) {
            return;
        }
        try {
            task.run();
        } catch (Throwable e) {
            LOG.error("internal error in a task of thread {}; the thread continues with the next task", name, e);
        }
    }

    /** Interrupts the running task and drops queued tasks. Thread-safe; does not block. */
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
