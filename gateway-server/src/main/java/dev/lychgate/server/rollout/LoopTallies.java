package dev.lychgate.server.rollout;

import dev.lychgate.exchange.state.ExchangeRecord;
import dev.lychgate.generation.Generation;
import dev.lychgate.route.Route;
import java.util.IdentityHashMap;
import org.jspecify.annotations.Nullable;

/** The tallies of one event loop in one step. On that loop. */
final class LoopTallies {
    private final Step step;
    /** By identity, so that lookups compare no text: a route belongs to one generation. */
    private final IdentityHashMap<Route, Tally> byRoute = new IdentityHashMap<>();
    /** Of exchanges without a route. */
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
        // Without a head, no generation was chosen: the request was never on its way to one of the two.
        // An injected fault says nothing about the generation.
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
