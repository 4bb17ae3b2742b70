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

/** A running gateway, for reloads: {@code dev.lychgate.Lychgate}. Methods may block and must not run on an event loop. */
public interface ReloadableGateway extends Swap, AutoCloseable {
    /** Returns the generation that new exchanges use. */
    Generation generation();

    /**
     * Puts a generation that is built from {@code next} beside the stable one, for the exchanges that {@code split} selects. It
     * replaces an earlier candidate.
     *
     * @throws dev.lychgate.config.ConfigException if it is rejected; nothing has changed then
     */
    Generation introduce(FilterAssembly next, Split split);

    /** Changes which exchanges the candidate gets. @throws IllegalStateException if there is none */
    void split(Split split);

    /** Makes the candidate the stable generation. @throws IllegalStateException if there is none */
    Generation promote();

    /** Removes the candidate, if there is one. */
    void withdraw();

    /** Returns the counts of the exchanges of both generations during a rollout. */
    RolloutMeter rolloutMeter();

    /** Returns the receivers of the entries of a history, beside its webhook. The caller closes them. */
    List<EntryReceiver> receivers(HistoryConfig history);

    /** Exposes {@code generations} and {@code proposals} in the admin interface and the metrics. Called once. */
    void follows(Generations generations, Proposals proposals);

    @Override
    void close();
}
