package dev.lychgate.filters.testing;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The threads that tests have left behind: threads of tests that exceeded their time limit, and threads that tests have
 * started. Each thread is interrupted and reported repeatedly until it ends. If a thread ignores interrupts, only a
 * restart of the process ends it. Thread-safe.
 */
public final class AbandonedTests {
    /** If at least this number of threads still run, no new test may start. */
    public static final int MOST = 16;

    private static final Logger LOG = LoggerFactory.getLogger(AbandonedTests.class);
    private static final Duration FIRST_REPORT = Duration.ofSeconds(10);
    private static final Duration LONGEST_PAUSE = Duration.ofMinutes(10);

    /** The test files to which the threads belong, by thread. */
    private final Map<Thread, String> running = new ConcurrentHashMap<>();

    private @Nullable Thread watch;

    /**
     * Adds a thread, unless the thread has ended.
     *
     * @param file the test file to which the thread belongs
     */
    void add(Thread thread, String file) {
        if (thread.isAlive()) {
            running.put(thread, file);
            watch();
        }
    }

    /**
     * Returns the number of threads that still run, including threads of blocking filters. Must not be called while a
     * test runs, because the threads of the running test would be counted.
     */
    public int count() {
        return threads() + Trial.blockingCalls();
    }

    private int threads() {
        running.keySet().removeIf(thread -> !thread.isAlive());
        return running.size();
    }

    /** Returns whether at least {@link #MOST} threads still run, so that no new test may start. */
    public boolean isFull() {
        return count() >= MOST;
    }

    /**
     * Returns one line for each thread that still runs, but at most {@code most} lines. If blocking filters still run,
     * adds a line with the number of their calls.
     */
    public List<String> lines(int most) {
        List<String> lines = new ArrayList<>();
        running.forEach((thread, file) -> {
            if (thread.isAlive() && lines.size() < most) {
                lines.add(line(thread, file));
            }
        });
        int calls = Trial.blockingCalls();
        if (calls > 0) {
            lines.add(calls + " calls of blocking filters");
        }
        return lines;
    }

    private static String line(Thread thread, String file) {
        StackTraceElement[] stack = thread.getStackTrace();
        return "thread '" + thread.getName() + "' of " + file + (stack.length == 0 ? "" : " at " + stack[0]);
    }

    private synchronized void watch() {
        if (watch == null) {
            Thread next = new Thread(this::report, "lychgate-abandoned-tests");
            next.setDaemon(true);
            next.start();
            watch = next;
        }
    }

    private void report() {
        try {
            Duration pause = FIRST_REPORT;
            do {
                Thread.sleep(pause.toMillis());
                running.forEach((thread, file) -> {
                    if (thread.isAlive()) {
                        LOG.warn(
                                "{} still runs after its test, and may use a whole CPU; it is interrupted again; if it"
                                        + " ignores the interrupt, only a restart of the process ends it",
                                line(thread, file));
                        interrupt(thread);
                    }
                });
                pause = pause.multipliedBy(2).compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : pause.multipliedBy(2);
            } while (!ended());
        } catch (InterruptedException e) {
            // This thread is interrupted at the end of the process and at no other time.
            Thread.currentThread().interrupt();
        }
    }

    private synchronized boolean ended() {
        if (threads() > 0) {
            return false;
        }
        watch = null;
        return true;
    }

    static void interrupt(Thread thread) {
        if (thread instanceof TestThread test) {
            test.giveUp();
        } else {
            thread.interrupt();
        }
    }
}
