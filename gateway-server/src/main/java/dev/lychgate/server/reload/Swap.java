package dev.lychgate.server.reload;

import dev.lychgate.generation.Generation;
import dev.lychgate.server.filters.FilterAssembly;

/** Puts generations into force. Methods may block and must not run on an event loop. */
public interface Swap {
    /**
     * Swaps in a generation that is built from {@code next}.
     *
     * @throws dev.lychgate.config.ConfigException if it is rejected; the running generation stays in force then
     */
    Generation apply(FilterAssembly next);

    /**
     * Checks what {@link #apply} checks, such as the self-checks of filters, and changes nothing. Names are not resolved.
     *
     * @throws dev.lychgate.config.ConfigException if {@link #apply} would reject it
     */
    default void verify(FilterAssembly next) {}
}
