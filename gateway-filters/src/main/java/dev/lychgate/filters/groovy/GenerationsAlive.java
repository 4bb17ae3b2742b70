package dev.lychgate.filters.groovy;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * How many generations of filter classes are still in memory. More than a few, for longer than a collection of the old space
 * takes, means that somebody keeps them. Safe for use from any thread.
 */
public final class GenerationsAlive {
    private final List<WeakReference<FilterClassLoader>> loaders = new ArrayList<>();

    /** Builds that were given up and still run. */
    private final AtomicInteger abandoned = new AtomicInteger();

    GenerationsAlive() {}

    /** Counts builds that were given up, until they end. */
    AtomicInteger abandoned() {
        return abandoned;
    }

    /** How many builds were given up and still run. */
    public int abandonedBuilds() {
        return abandoned.get();
    }

    synchronized void add(FilterClassLoader loader) {
        look();
        loaders.add(new WeakReference<>(loader));
    }

    /** Generations whose classes have not been unloaded, the one in use included. */
    public synchronized int count() {
        look();
        return loaders.size();
    }

    /** An exchange that outlived the end of its generation may have brought back what was released: again, then. */
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
