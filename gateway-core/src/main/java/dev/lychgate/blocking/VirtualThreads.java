package dev.lychgate.blocking;

import java.lang.reflect.InvocationTargetException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A virtual thread for each task. Such threads give up their processor only where they block: as many that compute and
 * never end as there are processors, and none of the others gets on. Then, and for as long, tasks are run by
 * {@link PlatformThreads}, between which the system divides its time.
 */
final class VirtualThreads implements ThreadSource {
    private static final Logger LOG = LoggerFactory.getLogger(VirtualThreads.class);

    /** For how long no task begins while some wait until that is taken for a halt, in nanoseconds. */
    private static final long HALT = TimeUnit.MILLISECONDS.toNanos(500);

    private final ExecutorService virtual;
    private final ThreadSource instead;
    private final AtomicLong begun = new AtomicLong();

    private volatile boolean halted;

    // Of the thread that looks.
    private long begunThen;
    private long since;
    private boolean asked;

    /** By reflection: the byte code is that of JDK 17, which has none. @param instead closed with this */
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

    /** Virtual threads cost next to nothing: it is the calls that are bounded. */
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
                "filters that compute hold all virtual threads; others that block go on without these, on {} threads"
                        + " at most",
                PlatformThreads.MOST);
        for (int i = 0; i < waiting; i++) {
            instead.execute(task);
        }
        // Begins when the virtual threads get on again, and shows that they do.
        asked = true;
        onVirtual(() -> {});
    }

    private void resume() {
        if (halted) {
            halted = false;
            LOG.info("virtual threads get on again");
        }
    }

    @Override
    public void close() {
        virtual.shutdownNow();
        instead.close();
    }
}
