package dev.lychgate.server.rollout;

import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The trials of all exchanges or of one route. Not thread-safe. */
final class Scope {
    /** The fewest exchanges of a block. Smaller ones would compare little. */
    private static final int LEAST = 20;

    private final @Nullable String route;
    private final List<Trial> trials;
    /** The counts up to the end of the last block. */
    private Sides before = new Sides();

    /** @param route null = all exchanges */
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
