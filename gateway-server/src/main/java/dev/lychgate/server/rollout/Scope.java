package dev.lychgate.server.rollout;

import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The trials for all exchanges or for one route. Not thread-safe. */
final class Scope {
    /** The smallest number of exchanges in a block. Smaller blocks would yield little evidence. */
    private static final int LEAST = 20;

    private final @Nullable String route;
    private final List<Trial> trials;
    /** The counts up to the end of the last block. */
    private Sides before = new Sides();

    /** @param route the id of the route; null for all exchanges */
    Scope(@Nullable String route, List<Trial> trials) {
        this.route = route;
        this.trials = trials;
    }

    /** @param now the counts since the step began */
    void look(Sides now) {
        Sides block = now.since(before);
        long candidate = block.candidate().exchanges();
        long stable = block.stable().exchanges();
        if (candidate > 0 && stable > 0 && candidate + stable >= LEAST) {
            trials.forEach(trial -> trial.add(block, now));
            before = now;
        }
    }

    Stream<Finding> findings() {
        return trials.stream().map(trial -> trial.finding(route));
    }

    Stream<Finding> aborting() {
        return trials.stream().filter(trial -> trial.verdict() == Verdict.ABORT).map(trial -> trial.finding(route));
    }
}
