package dev.lychgate.exchange.filtering;

import dev.lychgate.chain.BudgetMeter;
import dev.lychgate.chain.FilterSlot;
import dev.lychgate.exchange.state.ExchangeTap;
import dev.lychgate.exchange.state.FilterTimes;
import dev.lychgate.filter.FilterOutcome;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reports the runs of filters to the statistics and the budget of each filter, to the times of the exchange, and to its
 * trace and its recording. If the exchange has neither a trace nor a recording, copies nothing. Used on the exchange's
 * event loop.
 */
final class ObservedRuns {
    private final FilterLoop loop;
    private final FilterContext context;
    /**
     * The times of filter calls. Null after the end of the exchange, even if a filter still runs, because the record is
     * recycled then.
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

    /** Returns whether runs are reported to a trace or a recording, which also need the state between two runs. */
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
     * @param outcome null if the filter returned none, which is a failure
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
     * @return the outcome by the failure policy of the filter
     */
    FilterOutcome failed(FilterSlot slot, long begin, String how, @Nullable Throwable cause) {
        return ended(slot, begin, loop.nanoTime(), FilterFailures.of(loop, context, slot, how, cause));
    }

    /** Reports a run that now exceeds its timeout, and returns the outcome by the failure policy of the filter. */
    FilterOutcome timedOut(FilterSlot slot, long begin) {
        slot.stats().timedOut(loop.index());
        return failed(slot, begin, "exceeded its timeout", null);
    }

    /** Reports a run on the thread of other runs, and returns its outcome. */
    FilterOutcome ended(JoinedRuns.Run run) {
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

    /** Records the time of a run whose outcome no longer counts. */
    void cancelled(FilterSlot slot, long begin) {
        time(slot, begin, loop.nanoTime(), null);
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
