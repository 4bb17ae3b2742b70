package dev.lychgate.server.reload;

import dev.lychgate.generation.Generation;
import dev.lychgate.server.filters.FilterAssembly;

/** Puts generations into force. Methods may block and must not run on an event loop. */
public interface Swap {
    /**
     * Puts a generation that is built from {@code next} into force.
     *
     * @throws dev.lychgate.config.ConfigException if the generation is rejected; the running generation then stays in
     *     force
     */
    Generation apply(FilterAssembly next);

    /**
     * Performs the checks of {@link #apply}, such as the self-checks of filters, but changes nothing. Host names are
     * not resolved.
     *
     * @throws dev.lychgate.config.ConfigException if {@link #apply} would reject the generation
     */
    default void verify(FilterAssembly next) {}
}
