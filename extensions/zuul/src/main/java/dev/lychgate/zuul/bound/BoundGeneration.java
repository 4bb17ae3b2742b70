package dev.lychgate.zuul.bound;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The generation that the static methods of Zuul and Archaius use. It is bound to a thread while the thread runs code
 * of its filters. Threads that filters start do not inherit this binding.
 */
public interface BoundGeneration {
    /** Returns the filters of a type, in their order. */
    List<Object> filters(String type);

    /** Returns a property; null if it is not set. */
    @Nullable
    String property(String name);

    /**
     * Returns the generation that is bound to the current thread. If no generation is bound to it, returns the
     * generation that was bound last to any thread; null if there was none.
     */
    static @Nullable BoundGeneration current() {
        return Binding.current();
    }

    /**
     * Binds a generation to the current thread.
     *
     * @return the generation that was bound before; null if no generation was bound
     */
    static @Nullable BoundGeneration bind(@Nullable BoundGeneration generation) {
        return Binding.bind(generation);
    }
}
