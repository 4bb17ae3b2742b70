package dev.lychgate.blocking;

import java.lang.reflect.InvocationTargetException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One virtual thread per task. A virtual thread yields its processor only when it blocks. Therefore, if as many virtual
 * threads as there are processors compute endlessly, no other virtual thread runs. In this situation, {@link
 * PlatformThreads} run the tasks, because the system schedules platform threads preemptively.
 */
final class VirtualThreads implements ThreadSource {
    private static final Logger LOG = LoggerFactory.getLogger(VirtualThreads.class);

    /** If tasks are queued but none starts for this time, in nanoseconds, virtual threads count as halted. */
    private static final long HALT = TimeUnit.MILLISECONDS.toNanos(500);

    private final ExecutorService virtual;
    private final ThreadSource instead;
    private final AtomicLong begun = new AtomicLong();

    private volatile boolean halted;

    // Used only by the checking thread.
    private long begunThen;
    private long since;
    private boolean asked;

    /**
     * Creates a source of virtual threads. Uses reflection, because the byte code targets JDK 17, which has no virtual
     * threads.
     *
     * @param instead runs the tasks while virtual threads are halted; closed with this object
     */
    VirtualThreads(ThreadSource instead)
            throws NoSuchMethodException, IllegalAccessException, InvocationTargetException {
        this.virtual = (ExecutorService)
                Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
        this.instead = instead;
    }

    @Override
    public void execute(Runnable task) {
        if (halted) {
            instead.execute(task);
        } else {
            onVirtual(task);
        }
    }

    private void onVirtual(Runnable task) {
        virtual.execute(() -> {
            begun.incrementAndGet();
            task.run();
        });
    }

    /**
     * Returns the maximum number of threads that one filter may use. On virtual threads, each call may have its own
     * thread, so the result is the maximum number of calls per filter. While virtual threads are halted, the result is
     * the limit of the platform threads.
     */
    @Override
    public int mostOfAFilter() {
        return halted ? instead.mostOfAFilter() : BlockingThreads.MOST_OF_A_FILTER;
    }

    @Override
    public void look(long now, int waiting, Runnable task) {
        long begunNow = begun.get();
        if (begunNow != begunThen || (waiting == 0 && !asked)) {
            begunThen = begunNow;
            since = now;
            asked = false;
            resume();
        } else if (!halted && now - since >= HALT) {
            halt(waiting, task);
        }
    }

    private void halt(int waiting, Runnable task) {
        halted = true;
        LOG.error(
                "filters with long computations occupy all virtual threads; blocking filters run on at most {} "
                        + "platform threads until virtual threads make progress again",
                PlatformThreads.MOST);
        for (int i = 0; i < waiting; i++) {
            instead.execute(task);
        }
        // This task starts as soon as virtual threads make progress again, and thus detects the progress.
        asked = true;
        onVirtual(() -> {});
    }

    private void resume() {
        if (halted) {
            halted = false;
            LOG.info("virtual threads make progress again; blocking filters run on virtual threads");
        }
    }

    @Override
    public void close() {
        virtual.shutdownNow();
        instead.close();
    }
}
