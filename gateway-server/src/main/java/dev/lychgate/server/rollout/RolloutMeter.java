package dev.lychgate.server.rollout;

import dev.lychgate.config.AbortRules;
import dev.lychgate.exchange.Exchange;
import dev.lychgate.exchange.ExchangeObserver;
import dev.lychgate.loop.Loop;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Counts the exchanges of two generations while a rollout runs, and compares them. Without a rollout it reads one field per
 * exchange.
 *
 * <p>{@link #begin}, {@link #step} and {@link #end} are called by one thread at a time; everything else by any thread.
 */
public final class RolloutMeter implements ExchangeObserver {
    /** The route of exchanges without one, because none matched or routing did not start; no route can have this id. */
    public static final String NO_ROUTE = "-";

    private final AtomicReference<@Nullable Step> current = new AtomicReference<>();
    private @Nullable Rollout rollout;

    private record Rollout(long stable, long candidate, AbortRules rules, int steps) {
        Step step() {
            return new Step(stable, candidate, rules, steps, System.nanoTime());
        }
    }

    @Override
    public ExchangeObserver onLoop(Loop loop) {
        return new OfLoop(current);
    }

    /** Not called: each loop has its own observer. */
    @Override
    public void onClosed(Exchange exchange) {
        throw new IllegalStateException("the observer of a loop counts");
    }

    /**
     * Begins to compare two generations, in the first step of a rollout. Ends an earlier rollout.
     *
     * @param stable the number of the stable generation
     * @param candidate the number of the candidate
     * @param rules the tolerances
     * @param steps the number of steps in which both generations receive exchanges; the probability of a false abort is divided
     *     by it
     */
    public void begin(long stable, long candidate, AbortRules rules, int steps) {
        Rollout begun = new Rollout(stable, candidate, rules, steps);
        rollout = begun;
        replace(begun.step());
    }

    /** Begins the next step: the counts and the comparison begin anew. @throws IllegalStateException without a rollout */
    public void step() {
        Rollout running = rollout;
        if (running == null) {
            throw new IllegalStateException("no rollout is running");
        }
        replace(running.step());
    }

    /** Ends the comparison, and forgets the counts. */
    public void end() {
        rollout = null;
        replace(null);
    }

    private void replace(@Nullable Step next) {
        Step before = current.getAndSet(next);
        if (before != null) {
            before.end();
        }
    }

    /**
     * Compares the exchanges of the current step so far. To be called a few times per second: the exchanges between two calls are
     * compared with each other. An abort stays until the next step.
     *
     * @return {@link Judgement#NONE} without a rollout
     */
    public Judgement judgement() {
        Step step = current.get();
        return step == null ? Judgement.NONE : step.judgement(System.nanoTime());
    }

    /** Returns the figures of the current step; null without a rollout. The rates need {@link #judgement} to be called regularly. */
    public @Nullable Figures figures() {
        Step step = current.get();
        return step == null ? null : step.figures(System.nanoTime());
    }

    /** Counts on one event loop. */
    private static final class OfLoop implements ExchangeObserver {
        private final AtomicReference<@Nullable Step> current;
        private @Nullable LoopTallies tallies;

        OfLoop(AtomicReference<@Nullable Step> current) {
            this.current = current;
        }

        @Override
        public void onClosed(Exchange exchange) {
            Step step = current.get();
            if (step != null) {
                of(step).count(exchange.record());
            } else if (tallies != null) {
                tallies = null;
            }
        }

        private LoopTallies of(Step step) {
            LoopTallies known = tallies;
            if (known == null || known.step() != step) {
                known = new LoopTallies(step);
                tallies = known;
            }
            return known;
        }
    }
}
