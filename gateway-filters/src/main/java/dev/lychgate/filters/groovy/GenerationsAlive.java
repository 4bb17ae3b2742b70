package dev.lychgate.filters.groovy;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/**
 * How many generations of filter classes are still in memory. More than a few, for longer than a collection of the old space
 * takes, means that somebody keeps them. Safe for use from any thread.
 */
public final class GenerationsAlive {
    private final List<WeakReference<FilterClassLoader>> loaders = new ArrayList<>();

    private final AbandonedBuilds abandoned = new AbandonedBuilds();

    GenerationsAlive() {}

    /** The builds that led to no generation, as they were given up. */
    public AbandonedBuilds abandoned() {
        return abandoned;
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
