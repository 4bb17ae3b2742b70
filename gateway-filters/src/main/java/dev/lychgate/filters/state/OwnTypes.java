package dev.lychgate.filters.state;

import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Detects objects whose classes belong to one generation of filters. State that refers to such an object would keep all
 * classes of the generation in memory, and the next generation could not use the object.
 */
final class OwnTypes {
    private static final int DEEPEST = 3;
    /** The maximum number of elements of a collection that are checked. */
    private static final int MOST = 100;

    private OwnTypes() {}

    /**
     * Returns the class of {@code value} if it is from a filter directory. For a collection, a map, an
     * {@code AtomicReference} or an {@code Optional}, also checks the classes of its first elements. Returns null if no checked class is from a filter directory.
     */
    static @Nullable Class<?> in(@Nullable Object value) {
        return in(value, 0);
    }

    /** Returns whether {@link #in} finds a class for {@code value} that {@code loader} has defined. */
    static boolean areOf(ClassLoader loader, @Nullable Object value) {
        Class<?> own = in(value);
        return own != null && own.getClassLoader() == loader;
    }

    private static @Nullable Class<?> in(@Nullable Object value, int depth) {
        if (value == null) {
            return null;
        }
        Class<?> type = value.getClass();
        if (!outlives(type)) {
            return type;
        }
        if (depth == DEEPEST) {
            return null;
        }
        if (value instanceof Map<?, ?> map) {
            Class<?> key = in(map.keySet(), depth);
            return key != null ? key : in(map.values(), depth);
        }
        if (value instanceof Collection<?> all) {
            int checked = 0;
            for (Object element : all) {
                Class<?> own = in(element, depth + 1);
                if (own != null) {
                    return own;
                }
                if (++checked == MOST) {
                    break;
                }
            }
        }
        if (value instanceof AtomicReference<?> reference) {
            return in(reference.get(), depth + 1);
        }
        return value instanceof Optional<?> optional ? in(optional.orElse(null), depth + 1) : null;
    }

    /**
     * Returns whether a class outlives every generation, because its loader is the gateway's loader or a parent of that
     * loader.
     */
    static boolean outlives(Class<?> type) {
        ClassLoader of = type.getClassLoader();
        for (ClassLoader own = OwnTypes.class.getClassLoader(); own != null; own = own.getParent()) {
            if (of == own) {
                return true;
            }
        }
        return of == null;
    }
}
