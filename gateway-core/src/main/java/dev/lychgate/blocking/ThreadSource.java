package dev.lychgate.blocking;

import java.lang.reflect.InvocationTargetException;

/** Provides threads that may block. Any thread may submit tasks, without blocking. */
interface ThreadSource extends AutoCloseable {
    /** Returns virtual threads if the JVM has them (21 and later), otherwise a bounded pool. */
    static ThreadSource create() {
        try {
            return new VirtualThreads(new PlatformThreads());
        } catch (NoSuchMethodException | IllegalAccessException | InvocationTargetException e) {
            return new PlatformThreads();
        }
    }

    void execute(Runnable task);

    /** Returns the maximum number of threads that one filter may use at the same time. */
    int mostOfAFilter();

    /**
     * Checks whether queued tasks are waiting for threads in vain. Always called on the same thread, a few times a
     * second.
     *
     * @param now the current time, in nanoseconds
     * @param waiting number of tasks that were submitted and have not started
     * @param task runs one of these tasks, if any are left
     */
    default void look(long now, int waiting, Runnable task) {}

    @Override
    void close();
}
