package dev.lychgate.filters.groovy;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;

/**
 * How many generations of filter classes are still in memory. More than a few, for longer than a collection of the old space
 * takes, means that somebody keeps them. Safe for use from any thread.
 */
public final class GenerationsAlive {
    private final List<WeakReference<ClassLoader>> loaders = new ArrayList<>();

    GenerationsAlive() {}

    synchronized void add(ClassLoader loader) {
        loaders.removeIf(reference -> reference.refersTo(null));
        loaders.add(new WeakReference<>(loader));
    }

    /** Generations whose classes have not been unloaded, the one in use included. */
    public synchronized int count() {
        loaders.removeIf(reference -> reference.refersTo(null));
        return loaders.size();
    }
}
