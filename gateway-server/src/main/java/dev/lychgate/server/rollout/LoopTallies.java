package dev.lychgate.server.rollout;

import dev.lychgate.exchange.state.ExchangeRecord;
import dev.lychgate.generation.Generation;
import dev.lychgate.route.Route;
import java.util.IdentityHashMap;
import org.jspecify.annotations.Nullable;

/** The tallies of one event loop in one step. Used only on that loop. */
final class LoopTallies {
    private final Step step;
    /**
     * The tallies by route. Routes are compared by identity, which is faster than comparing ids and sufficient because
     * a route object belongs to one generation.
     */
    private final IdentityHashMap<Route, Tally> byRoute = new IdentityHashMap<>();
    /** The tallies of exchanges without a route. */
    private @Nullable Tally unroutedOfStable;

    private @Nullable Tally unroutedOfCandidate;

    LoopTallies(Step step) {
        this.step = step;
    }

    Step step() {
        return step;
    }

    /** Counts an exchange, unless it belongs to another step or generation. */
    void count(ExchangeRecord record) {
        // A request without a complete head was not assigned to a generation. An exchange with an injected fault does
        // not show how the generation performs.
        if (record.requestHead() != null
                && record.injections().isEmpty()
                && step.compares(record.generation(), record.timeline().began())) {
            of(record.generation(), record.route()).count(record);
        }
    }

    private Tally of(Generation generation, @Nullable Route route) {
        if (route == null) {
            return unrouted(generation);
        }
        Tally known = byRoute.get(route);
        if (known == null) {
            known = step.open(generation, route.id());
            byRoute.put(route, known);
        }
        return known;
    }

    private Tally unrouted(Generation generation) {
        boolean isCandidate = step.isCandidate(generation);
        Tally known = isCandidate ? unroutedOfCandidate : unroutedOfStable;
        if (known == null) {
            known = step.open(generation, RolloutMeter.NO_ROUTE);
            if (isCandidate) {
                unroutedOfCandidate = known;
            } else {
                unroutedOfStable = known;
            }
        }
        return known;
    }
}
