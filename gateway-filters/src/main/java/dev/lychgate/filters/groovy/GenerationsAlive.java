package dev.lychgate.filters.groovy;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;

/**
 * Counts the generations of filter classes in memory. More than a few, after a collection of the old space, indicate a
 * leak. Thread-safe.
 */
public final class GenerationsAlive {
    private final List<WeakReference<FilterClassLoader>> loaders = new ArrayList<>();

    /** Abandoned builds that still run. */
    private final AtomicInteger abandoned = new AtomicInteger();

    GenerationsAlive() {}

    /** Returns the counter of abandoned builds that still run. */
    AtomicInteger abandoned() {
        return abandoned;
    }

    /** Returns the number of abandoned builds that still run. */
    public int abandonedBuilds() {
        return abandoned.get();
    }

    synchronized void add(FilterClassLoader loader) {
        look();
        loaders.add(new WeakReference<>(loader));
    }

    /** Returns the number of generations whose classes have not been unloaded, including the one in use. */
    public synchronized int count() {
        look();
        // Each generation has one loader for each bundle.
        return loaders.stream()
                .map(WeakReference::get)
                .filter(Objects::nonNull)
                .collect(Collectors.groupingBy(FilterClassLoader::bundle, Collectors.summingInt(loader -> 1)))
                .values()
                .stream()
                .mapToInt(count -> count)
                .max()
                .orElse(0);
    }

    /** Removes unloaded loaders. Releases others again, because exchanges in progress may have restored released data. */
    private void look() {
        for (Iterator<WeakReference<FilterClassLoader>> i = loaders.iterator(); i.hasNext(); ) {
            FilterClassLoader loader = i.next().get();
            if (loader == null) {
                i.remove();
            } else if (loader.isReleased()) {
                loader.release();
            }
        }
    }
}
