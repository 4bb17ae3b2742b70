package dev.lychgate.filters.groovy;

import dev.lychgate.filters.state.ReferenceSearch;
import dev.lychgate.filters.state.SharedState;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts the generations of filters whose classes are in memory. If more than a few replaced generations remain after
 * the garbage collector has unloaded classes, there is a memory leak, and a warning is logged. Thread-safe.
 */
public final class GenerationsAlive {
    private static final Logger LOG = LoggerFactory.getLogger(GenerationsAlive.class);
    /**
     * The maximum number of replaced generations in memory without a warning. Exchanges and caches of the JDK may keep
     * a generation in memory for some time.
     */
    private static final int MOST_RETAINED = 2;
    /** The maximum number of names in a warning. */
    private static final int NAMED = 10;

    /**
     * The text that follows "unknown objects" in a warning if the packages of the JDK that {@link ReferenceSearch}
     * reads are closed.
     */
    private static final String CLOSED =
            " (static fields and thread locals can be searched only with --add-opens=java.base/java.lang=ALL-UNNAMED"
                    + " --add-opens=java.base/jdk.internal.misc=ALL-UNNAMED)";

    private final List<WeakReference<GroupClassLoader>> loaders = new ArrayList<>();

    /** The number of abandoned builds that still run. */
    private final AtomicInteger abandoned;

    private final SharedState state;
    /** The number of replaced generations in the last warning. */
    private int warned;

    /**
     * Creates a counter without generations.
     *
     * @param abandoned counts the abandoned builds that still run
     */
    GenerationsAlive(SharedState state, AtomicInteger abandoned) {
        this.state = state;
        this.abandoned = abandoned;
    }

    /** Returns the state of filters that outlives the generations of the filters. */
    public SharedState state() {
        return state;
    }

    /** Returns the counter of abandoned builds that still run. */
    AtomicInteger abandoned() {
        return abandoned;
    }

    /** Returns the number of abandoned builds that still run. */
    public int abandonedBuilds() {
        return abandoned.get();
    }

    /** Adds the class loaders of a generation, except loaders that have been added for an earlier generation. */
    synchronized void add(FilterClassLoader generation) {
        look();
        Set<GroupClassLoader> known = loaders.stream()
                .map(WeakReference::get)
                .filter(Objects::nonNull)
                .collect(Collectors.toSet());
        generation.groups().stream()
                .filter(loader -> !known.contains(loader))
                .forEach(loader -> loaders.add(new WeakReference<>(loader)));
    }

    /**
     * Returns the number of generations with classes in memory, including the generation in use. Generations may share
     * the classes of a file, so the result is the highest number of loaders that define the classes of one file.
     */
    public synchronized int count() {
        look();
        return generations(loaders.stream()
                .map(WeakReference::get)
                .filter(Objects::nonNull)
                .toList());
    }

    private static int generations(List<GroupClassLoader> loaders) {
        Map<String, Integer> byFile = new HashMap<>();
        loaders.forEach(loader -> loader.files().forEach(file -> byFile.merge(file, 1, Integer::sum)));
        return byFile.values().stream().mapToInt(count -> count).max().orElse(0);
    }

    /**
     * Removes the loaders that the JVM has unloaded. For each loader that is still in memory but that no generation
     * uses, releases the data about its classes again, because exchanges in progress may have restored the data. Logs a
     * warning if a garbage collection should have unloaded loaders of this kind.
     */
    private void look() {
        for (Iterator<WeakReference<GroupClassLoader>> i = loaders.iterator(); i.hasNext(); ) {
            GroupClassLoader loader = i.next().get();
            if (loader == null) {
                i.remove();
            } else if (loader.isReleased()) {
                loader.release();
            }
        }
        List<GroupClassLoader> retained = loaders.stream()
                .map(WeakReference::get)
                .filter(Objects::nonNull)
                .filter(GroupClassLoader::isRetained)
                .toList();
        int count = generations(retained);
        if (count > MOST_RETAINED && count > warned) {
            LOG.warn(
                    "{} retired generations of filters are still in memory after a garbage collection, probably because of"
                            + " a leak: classes {}; held by {}",
                    count,
                    classes(retained),
                    holders(retained));
        }
        warned = count;
    }

    private static String classes(List<GroupClassLoader> retained) {
        return retained.stream()
                .flatMap(loader -> loader.classes().stream())
                .distinct()
                .sorted()
                .limit(NAMED)
                .collect(Collectors.joining(", "));
    }

    private String holders(List<GroupClassLoader> retained) {
        Set<String> holders = new LinkedHashSet<>();
        Thread.getAllStackTraces().forEach((thread, stack) -> {
            if (retained.stream().anyMatch(loader -> loader.isOf(thread, stack))) {
                holders.add("thread '" + thread.getName() + "'"
                        + (stack.length == 0 ? "" : " at " + stack[0].getClassName() + "." + stack[0].getMethodName()));
            }
        });
        retained.forEach(loader -> holders.addAll(state.holding(loader)));
        Set<ClassLoader> wanted = Set.copyOf(retained);
        Set<Class<?>> others = loaders.stream()
                .map(WeakReference::get)
                .filter(Objects::nonNull)
                .flatMap(GroupClassLoader::withStaticFields)
                .collect(Collectors.toSet());
        holders.addAll(ReferenceSearch.roots(loader -> loader != null && wanted.contains(loader), others));
        if (holders.isEmpty()) {
            return "unknown objects" + (ReferenceSearch.isComplete() ? "" : CLOSED) + "; a heap dump shows them";
        }
        return holders.stream().limit(NAMED).collect(Collectors.joining(", "));
    }
}
