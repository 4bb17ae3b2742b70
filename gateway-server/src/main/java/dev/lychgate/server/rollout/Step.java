package dev.lychgate.server.rollout;

import dev.lychgate.config.AbortRules;
import dev.lychgate.generation.Generation;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * One step of a rollout, with tallies and a judge. Only exchanges that began in the step are counted, so that the
 * exchanges of both generations had the same time to complete. Thread-safe and free of locks.
 */
final class Step {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    private final long stable;
    private final long candidate;
    private final long since;
    private final AtomicReference<@Nullable Tally> newest = new AtomicReference<>();
    private final AtomicReference<@Nullable Generation> stableGeneration = new AtomicReference<>();
    private final AtomicReference<@Nullable Generation> candidateGeneration = new AtomicReference<>();

    /** Whether a thread is comparing the counts. Only this thread then uses the judge and the sums. */
    private final AtomicBoolean looking = new AtomicBoolean();

    private final Judge judge;
    private final Deque<Look> looks = new ArrayDeque<>();
    private volatile Judgement latest = Judgement.NONE;
    private volatile boolean over;
    /** The sums of about a second ago; null during the first second. */
    private volatile @Nullable Look earlier;

    /**
     * @param stable the number of the stable generation
     * @param candidate the number of the candidate
     * @param since the present time of {@link System#nanoTime()}
     */
    Step(long stable, long candidate, AbortRules rules, int steps, long since) {
        this.stable = stable;
        this.candidate = candidate;
        this.since = since;
        this.judge = new Judge(rules, steps);
    }

    /**
     * Returns whether this step counts an exchange. The result depends on the generation of the exchange, and on the
     * time at which the exchange began.
     */
    boolean compares(Generation generation, long began) {
        long number = generation.number();
        return (number == stable || number == candidate) && began - since >= 0;
    }

    boolean isCandidate(Generation generation) {
        return generation.number() == candidate;
    }

    /** Creates the tally of a loop for a generation and a route. Called on that loop. */
    Tally open(Generation of, String route) {
        boolean isCandidate = isCandidate(of);
        (isCandidate ? candidateGeneration : stableGeneration).set(of);
        if (over) {
            forget();
        }
        Tally tally = new Tally(route, isCandidate);
        do {
            tally.next = newest.get();
        } while (!newest.compareAndSet(tally.next, tally));
        return tally;
    }

    /**
     * Ends the step. Event loops may keep this object until their next exchange, so this method releases the
     * generations.
     */
    void end() {
        over = true;
        forget();
    }

    private void forget() {
        stableGeneration.set(null);
        candidateGeneration.set(null);
    }

    /** Compares the counts. While another thread compares them, this method returns the previous judgement. */
    Judgement judgement(long now) {
        if (looking.compareAndSet(false, true)) {
            try {
                Look look = Look.of(now, newest.get());
                latest = judge.judge(look.total(), look.byRoute(), routes(), filters());
                remember(look);
            } finally {
                looking.set(false);
            }
        }
        return latest;
    }

    private void remember(Look look) {
        looks.addLast(look);
        Look oldest = looks.getFirst();
        while (look.at() - oldest.at() >= SECOND) {
            earlier = looks.removeFirst();
            oldest = looks.getFirst();
        }
    }

    private int routes() {
        Generation generation = candidateGeneration.get();
        return generation == null ? 1 : generation.routes().routes().size() + 1;
    }

    private List<Finding> filters() {
        Generation now = stableGeneration.get();
        Generation next = candidateGeneration.get();
        return now == null || next == null ? List.of() : FilterStates.worse(next, now);
    }

    Figures figures(long now) {
        Look before = earlier;
        Look look = Look.of(now, newest.get());
        return FiguresOfStep.of(
                stable, candidate, look, before == null ? new Look(since, new Sides(), Map.of()) : before);
    }
}
