package dev.lychgate.filters.state;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The threads that filters start while the filters are loaded, and the threads of pools that filters create during this
 * time. These threads inherit the thread group of the build, through which they are found.
 */
final class StartedThreads {
    private static final Logger LOG = LoggerFactory.getLogger(StartedThreads.class);
    private static final int MOST = 256;
    /** The time in milliseconds between the end of a generation and the warning about threads that still run. */
    private static final long GRACE = 1000;

    /**
     * The prefixes of the names of threads that serve the whole process. The first use by a filter may start such a
     * thread, but the thread does not belong to the filter.
     */
    private static final List<String> PROCESS = List.of(
            "lychgate-", "Rx", "ForkJoinPool.commonPool", "CompletableFutureDelay", "Common-Cleaner", "process reaper");

    private final ThreadGroup group;
    private final Map<Thread, String> files = new WeakHashMap<>();

    StartedThreads(ThreadGroup group) {
        this.group = group;
    }

    /** Records that the filters in {@code file} have started all threads for which no file has been recorded yet. */
    synchronized void made(String file) {
        alive().forEach(thread -> files.putIfAbsent(thread, file));
    }

    synchronized boolean any() {
        return !alive().isEmpty();
    }

    private List<Thread> alive() {
        Thread[] all = new Thread[MOST];
        int count = group.enumerate(all);
        List<Thread> alive = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            String name = all[i].getName();
            if (PROCESS.stream().noneMatch(name::startsWith)) {
                alive.add(all[i]);
            }
        }
        return alive;
    }

    /** Logs a warning about threads that still run some time after the end of the generation. */
    void warnLater() {
        if (any()) {
            CompletableFuture.delayedExecutor(GRACE, TimeUnit.MILLISECONDS).execute(this::warn);
        }
    }

    private synchronized void warn() {
        Map<String, List<String>> left = new LinkedHashMap<>();
        for (Thread thread : alive()) {
            left.computeIfAbsent(files.getOrDefault(thread, "filters"), file -> new ArrayList<>())
                    .add(thread.getName());
        }
        left.forEach((file, names) -> LOG.warn(
                "{}: threads of a retired generation still run: {}; they may keep the classes of the generation in memory;"
                        + " register the object that owns the threads with closeLater",
                file,
                String.join(", ", names)));
    }
}
