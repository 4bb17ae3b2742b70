package dev.lychgate.zuul.bound;

import java.lang.ref.WeakReference;
import org.jspecify.annotations.Nullable;

/** Stores the generation that is bound to each thread. */
final class Binding {
    private static final ThreadLocal<@Nullable BoundGeneration> CURRENT = new ThreadLocal<>();

    /**
     * The generation that was bound last. Threads that filters start use this generation, because no generation is
     * bound to them. The reference is weak, so that the generation can be unloaded.
     */
    private static volatile WeakReference<BoundGeneration> last = new WeakReference<>(null);

    private Binding() {}

    static @Nullable BoundGeneration current() {
        BoundGeneration bound = CURRENT.get();
        return bound == null ? last.get() : bound;
    }

    static @Nullable BoundGeneration bind(@Nullable BoundGeneration generation) {
        BoundGeneration before = CURRENT.get();
        if (generation == null) {
            CURRENT.remove();
        } else {
            CURRENT.set(generation);
            if (last.get() != generation) {
                last = new WeakReference<>(generation);
            }
        }
        return before;
    }
}
