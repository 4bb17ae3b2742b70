package dev.lychgate.filters.state;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;

/**
 * The objects that generations have registered for closing. Several generations may register the same object, for
 * example if a static field contains it. Objects are compared by identity. Thread-safe.
 */
final class RegisteredObjects {
    /** The number of registrations of each object that is not closed. */
    private final IdentityHashMap<Object, Integer> open = new IdentityHashMap<>();
    /** The closed objects that were registered during a build. */
    private final List<WeakReference<Object>> closed = new ArrayList<>();

    synchronized void add(Object object) {
        open.merge(object, 1, Integer::sum);
    }

    /**
     * Removes a registration of an object.
     *
     * @param building whether the object was registered during a build
     * @return true if no registration of the object is left, so that the object has to be closed
     */
    synchronized boolean remove(Object object, boolean building) {
        boolean last = open.computeIfPresent(object, (same, count) -> count == 1 ? null : count - 1) == null;
        if (last && building) {
            closed.add(new WeakReference<>(object));
        }
        return last;
    }

    synchronized boolean isClosed(Object object) {
        closed.removeIf(one -> one.refersTo(null));
        return closed.stream().anyMatch(one -> one.refersTo(object));
    }
}
