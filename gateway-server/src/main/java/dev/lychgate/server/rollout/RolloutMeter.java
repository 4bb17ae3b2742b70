package dev.lychgate.server.rollout;

import dev.lychgate.config.AbortRules;
import dev.lychgate.exchange.Exchange;
import dev.lychgate.exchange.ExchangeObserver;
import dev.lychgate.loop.Loop;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Counts the exchanges of two generations while a rollout runs, and compares the counts. Without a rollout, the meter
 * only reads one field per exchange.
 *
 * <p>One thread at a time may call {@link #begin}, {@link #step} and {@link #end}. All other methods are thread-safe.
 */
public final class RolloutMeter implements ExchangeObserver {
    /**
     * The id that stands for no route, because no route matched or routing did not start. No route can have this id.
     */
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

    /** Never called, because each loop has a separate observer. */
    @Override
    public void onClosed(Exchange exchange) {
        throw new IllegalStateException("the observer of a loop counts");
    }

    /**
     * Begins the first step of a rollout, in which two generations are compared. Ends the comparison of an earlier
     * rollout.
     *
     * @param stable the number of the stable generation
     * @param candidate the number of the candidate
     * @param rules the tolerances
     * @param steps the number of steps in which both generations receive exchanges; these steps share the
     *     probability of a false abort
     */
    public void begin(long stable, long candidate, AbortRules rules, int steps) {
        Rollout begun = new Rollout(stable, candidate, rules, steps);
        rollout = begun;
        replace(begun.step());
    }

    /**
     * Begins the next step, with new counts and a new comparison.
     *
     * @throws IllegalStateException without a rollout
     */
    public void step() {
        Rollout running = rollout;
        if (running == null) {
            throw new IllegalStateException("no rollout is running");
        }
        replace(running.step());
    }

    /** Ends the comparison and discards the counts. */
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
     * Compares the exchanges of the current step so far. This method must be called a few times per second, because
     * each call compares the exchanges that have ended in both generations since the previous call. The verdict {@link
     * Verdict#ABORT} stays until the next step.
     *
     * @return {@link Judgement#NONE} without a rollout
     */
    public Judgement judgement() {
        Step step = current.get();
        return step == null ? Judgement.NONE : step.judgement(System.nanoTime());
    }

    /**
     * Returns the figures of the current step; null without a rollout. The rates are correct only if {@link #judgement}
     * is called regularly.
     */
    public @Nullable Figures figures() {
        Step step = current.get();
        return step == null ? null : step.figures(System.nanoTime());
    }

    /** Counts the exchanges of one event loop. */
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
