package dev.lychgate.server.reload;

import dev.lychgate.config.HistoryConfig;
import dev.lychgate.generation.Generation;
import dev.lychgate.generation.Split;
import dev.lychgate.server.admin.Generations;
import dev.lychgate.server.admin.Proposals;
import dev.lychgate.server.filters.FilterAssembly;
import dev.lychgate.server.history.EntryReceiver;
import dev.lychgate.server.rollout.RolloutMeter;
import java.util.List;

/**
 * A running gateway in the form that reloads need. {@code dev.lychgate.Lychgate} implements it. Methods may block and
 * must not run on an event loop.
 */
public interface ReloadableGateway extends Swap, AutoCloseable {
    /** Returns the generation that new exchanges use. */
    Generation generation();

    /**
     * Introduces a candidate that is built from {@code next}, in addition to the stable generation. The candidate gets
     * the exchanges that {@code split} selects, and replaces an earlier candidate.
     *
     * @throws dev.lychgate.config.ConfigException if the candidate is rejected; in this case, nothing has changed
     */
    Generation introduce(FilterAssembly next, Split split);

    /**
     * Changes which exchanges the candidate gets.
     *
     * @throws IllegalStateException if there is no candidate
     */
    void split(Split split);

    /**
     * Makes the candidate the stable generation.
     *
     * @throws IllegalStateException if there is no candidate
     */
    Generation promote();

    /** Removes the candidate, if there is one. */
    void withdraw();

    /** Returns the meter that counts the exchanges of both generations during a rollout. */
    RolloutMeter rolloutMeter();

    /**
     * Returns receivers for the entries of a history, in addition to the webhook of the history. The caller closes the
     * receivers.
     */
    List<EntryReceiver> receivers(HistoryConfig history);

    /**
     * Exposes {@code generations} and {@code proposals} in the admin interface and the metrics. Called at most one
     * time.
     */
    void follows(Generations generations, Proposals proposals);

    @Override
    void close();
}
