package dev.lychgate.server.reload;

import dev.lychgate.generation.Generation;
import dev.lychgate.server.admin.Generations;
import dev.lychgate.server.filters.FilterAssembly;

/** A running gateway, for reloads: {@code dev.lychgate.Lychgate}. Methods may block and must not run on an event loop. */
public interface ReloadableGateway extends AutoCloseable {
    /** Returns the generation that new exchanges use. */
    Generation generation();

    /**
     * Swaps in a generation that is built from {@code next}.
     *
     * @throws dev.lychgate.config.ConfigException if it is rejected; the running generation stays in force then
     */
    Generation apply(FilterAssembly next);

    /** Exposes {@code generations} in the admin interface and the metrics. Called once. */
    void follows(Generations generations);

    @Override
    void close();
}
