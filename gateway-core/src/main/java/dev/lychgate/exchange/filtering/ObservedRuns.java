package dev.lychgate.exchange.filtering;

import dev.lychgate.chain.BudgetMeter;
import dev.lychgate.chain.FilterSlot;
import dev.lychgate.exchange.state.ExchangeTap;
import dev.lychgate.exchange.state.FilterTimes;
import dev.lychgate.filter.FilterOutcome;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * Reports the runs of filters to the statistics and the budget of each filter, and to the times, the trace and the
 * recording of the exchange. If the exchange has neither a trace nor a recording, this class copies no data. Used on
 * the exchange's event loop.
 */
final class ObservedRuns {
    private final FilterLoop loop;
    private final FilterContext context;
    /**
     * The times of filter calls. Null after the end of the exchange, even if a filter still runs, because the object is
     * recycled at the end of the exchange.
     */
    private @Nullable FilterTimes times;

    private @Nullable FilterTrace trace;
    private Map<String, String> before = Map.of();

    ObservedRuns(FilterLoop loop, FilterContext context, FilterTimes times) {
        this.loop = loop;
        this.context = context;
        this.times = times;
    }

    /** Reports all later runs to {@code into}. */
    void trace(FilterTrace into) {
        trace = into;
    }

    /**
     * Returns whether a trace or a recording receives the runs. If so, filters must not be joined, because the state
     * between two runs is also reported.
     */
    boolean areReported() {
        return trace != null || context.state().tap() != ExchangeTap.NONE;
    }

    /** Called before a filter runs. */
    void begin() {
        if (trace != null) {
            trace.before(context.stage());
        }
        if (context.state().tap() != ExchangeTap.NONE) {
            before = FilterTrace.snapshot(context, context.stage());
        }
    }

    /**
     * Reports a run that ends now.
     *
     * @param outcome the outcome; null if the filter returned null, which is a failure
     * @return the outcome
     */
    FilterOutcome ran(FilterSlot slot, long begin, @Nullable FilterOutcome outcome) {
        return outcome == null
                ? failed(slot, begin, "returned null", null)
                : ended(slot, begin, loop.nanoTime(), outcome);
    }

    /**
     * Reports a run that fails now.
     *
     * @param how the kind of the failure, for the log
     * @return the outcome that the failure policy of the filter determines
     */
    FilterOutcome failed(FilterSlot slot, long begin, String how, @Nullable Throwable cause) {
        return ended(slot, begin, loop.nanoTime(), FilterFailures.of(loop, context, slot, how, cause));
    }

    /**
     * Reports a run that now exceeds its timeout, and returns the outcome that the failure policy of the filter
     * determines.
     */
    FilterOutcome timedOut(FilterSlot slot, long begin) {
        slot.stats().timedOut(loop.index());
        return failed(slot, begin, "exceeded its timeout", null);
    }

    /** Reports a run whose call has completed, and returns its outcome. */
    FilterOutcome completed(FilterSlot slot, long begin, CompletableFuture<? extends FilterOutcome> call) {
        try {
            return ran(slot, begin, call.join());
        } catch (CompletionException e) {
            return failed(slot, begin, "failed", e.getCause() == null ? e : e.getCause());
        } catch (Throwable e) {
            return failed(slot, begin, "failed", e);
        }
    }

    /**
     * Reports a run for which the exchange has waited, and returns its outcome.
     *
     * @param result the completed call; null after the timeout
     */
    FilterOutcome resumed(PendingFilter waited, @Nullable CompletableFuture<? extends FilterOutcome> result) {
        if (result != null) {
            return completed(waited.slot, waited.begin, result);
        }
        FilterOutcome own = waited.outcomeOfTimeout();
        if (own == null) {
            return timedOut(waited.slot, waited.begin);
        }
        waited.slot.stats().timedOut(loop.index());
        return ran(waited.slot, waited.begin, own);
    }

    /**
     * Reports the runs of one thread, up to the first run that does not let the exchange proceed. Returns the outcome
     * of the last reported run.
     *
     * @param call the completed call of the runs; null after the timeout of a run
     */
    FilterOutcome completed(JoinedRuns joined, @Nullable CompletableFuture<? extends FilterOutcome> call) {
        int ended = joined.ended();
        while (joined.reported() < ended) {
            FilterOutcome outcome = ended(joined.get(joined.report()));
            if (outcome != FilterOutcome.Proceed.PROCEED) {
                return outcome;
            }
        }
        boolean isOver = call == null ? ended == joined.size() : !call.isCompletedExceptionally();
        if (isOver) {
            return FilterOutcome.Proceed.PROCEED;
        }
        int last = joined.report();
        FilterSlot slot = joined.get(last).slot;
        context.slot(slot);
        return call == null ? timedOut(slot, joined.begin(last)) : completed(slot, joined.begin(last), call);
    }

    private FilterOutcome ended(JoinedRuns.Run run) {
        context.slot(run.slot);
        FilterOutcome outcome = run.outcome();
        if (outcome == null) {
            String how = run.failure() == null ? "returned null" : "failed";
            outcome = FilterFailures.of(loop, context, run.slot, how, run.failure());
        }
        return ended(run.slot, run.begin(), run.end(), outcome);
    }

    private FilterOutcome ended(FilterSlot slot, long begin, long end, FilterOutcome outcome) {
        slot.stats().ran(loop.index(), end - begin);
        BudgetMeter budget = slot.budget();
        if (budget != null) {
            budget.ran(loop.index(), end - begin);
        }
        slot.ran();
        time(slot, begin, end, outcome);
        if (trace != null) {
            trace.after(context.stage(), slot, begin, end, outcome);
        }
        ExchangeTap tap = context.state().tap();
        if (tap != ExchangeTap.NONE) {
            Map<String, String> after = FilterTrace.snapshot(context, context.stage());
            tap.onFilter(context.stage(), slot.name(), begin, end, outcome, before, after);
        }
        return outcome;
    }

    /**
     * Records the times of runs whose outcomes do not count any longer. If several filters run on one thread, also
     * reports the runs that have ended.
     */
    void cancelled(PendingFilter waiting) {
        JoinedRuns joined = waiting.joined;
        if (joined == null) {
            time(waiting.slot, waiting.begin, loop.nanoTime(), null);
            return;
        }
        int ended = joined.ended();
        while (joined.reported() < ended) {
            ended(joined.get(joined.report()));
        }
        if (ended < joined.size()) {
            time(joined.get(ended).slot, joined.begin(ended), loop.nanoTime(), null);
        }
    }

    private void time(FilterSlot slot, long begin, long end, @Nullable FilterOutcome outcome) {
        FilterTimes all = times;
        if (all != null) {
            all.ran(slot, context.stage(), begin, end, outcome);
        }
    }

    /** Ends the recording of times, at the end of the exchange. */
    void close() {
        times = null;
    }
}
