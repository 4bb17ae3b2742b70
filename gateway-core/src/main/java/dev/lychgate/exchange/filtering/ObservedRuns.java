package dev.lychgate.exchange.filtering;

import dev.lychgate.chain.FilterSlot;
import dev.lychgate.exchange.state.ExchangeTap;
import dev.lychgate.filter.FilterOutcome;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reports filter runs to the trace and to the recording of an exchange. Copies nothing if the exchange has neither. Used on
 * the exchange's event loop.
 */
final class ObservedRuns {
    private final FilterContext context;
    private @Nullable FilterTrace trace;
    private Map<String, String> before = Map.of();

    ObservedRuns(FilterContext context) {
        this.context = context;
    }

    /** Reports all later runs to {@code into}. */
    void trace(FilterTrace into) {
        trace = into;
    }

    /** Returns whether runs are reported, so that the state between two runs matters. */
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
     * Reports a run, whether or not it was successful.
     *
     * @param from the start time of the run, in nanoseconds
     * @param now the current time, in nanoseconds
     */
    void end(FilterSlot slot, long from, long now, FilterOutcome outcome) {
        if (trace != null) {
            trace.after(context.stage(), slot, from, now, outcome);
        }
        ExchangeTap tap = context.state().tap();
        if (tap != ExchangeTap.NONE) {
            Map<String, String> after = FilterTrace.snapshot(context, context.stage());
            tap.onFilter(context.stage(), slot.name(), from, now, outcome, before, after);
        }
    }
}
