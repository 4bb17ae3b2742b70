package dev.lychgate.filters.testing;

import org.jspecify.annotations.Nullable;

/**
 * A thread that runs a script of tests. Java cannot stop a thread, but the compiler adds checks to scripts. The checks
 * end an abandoned script, unless the script is in a call of other code that never returns.
 */
final class TestThread extends Thread {
    /**
     * The stack size, in bytes. It equals the stack size of builds, because nested expressions are compiled
     * recursively.
     */
    private static final long STACK = 8 << 20;

    private volatile boolean givenUp;

    /**
     * Creates a thread for a script.
     *
     * @param group the thread group of this thread and of the threads that the script starts; null for the group of the
     *     current thread
     */
    @SuppressWarnings("ThreadPriorityCheck") // gives precedence to requests; nothing relies on the priority
    TestThread(@Nullable ThreadGroup group, Runnable script) {
        super(group, script, "lychgate-filter-tests", STACK);
        setDaemon(true);
        setPriority(MIN_PRIORITY);
    }

    /** Abandons the script: interrupts the thread, and ends the script at its next check. */
    void giveUp() {
        givenUp = true;
        interrupt();
    }

    static boolean isCurrent() {
        return currentThread() instanceof TestThread;
    }

    /** Ends the current script if it has been abandoned. */
    static void check() {
        if (currentThread() instanceof TestThread thread && thread.givenUp) {
            throw new GivenUp();
        }
    }
}
