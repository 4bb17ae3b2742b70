package dev.lychgate.blocking;

import java.lang.reflect.InvocationTargetException;

/** Threads that may block. Any thread may ask for one, and none waits for it. */
interface ThreadSource extends AutoCloseable {
    /** Virtual threads where the JVM has them (21 and later), otherwise a bounded pool. */
    static ThreadSource create() {
        try {
            return new VirtualThreads(new PlatformThreads());
        } catch (NoSuchMethodException | IllegalAccessException | InvocationTargetException e) {
            return new PlatformThreads();
        }
    }

    void execute(Runnable task);

    /** How many threads one filter may have at once. */
    int mostOfAFilter();

    /**
     * Looks whether there are threads for those that wait for one. Always on the same thread, a few times a second.
     *
     * @param now the present, in nanoseconds
     * @param waiting how many tasks have been handed over, and not begun
     * @param task runs one of these; may be executed in vain
     */
    default void look(long now, int waiting, Runnable task) {}

    @Override
    void close();
}
