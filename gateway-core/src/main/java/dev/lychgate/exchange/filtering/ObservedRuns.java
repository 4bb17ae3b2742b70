package dev.lychgate.exchange.filtering;

import dev.lychgate.chain.FilterSlot;
import dev.lychgate.exchange.state.ExchangeTap;
import dev.lychgate.filter.FilterOutcome;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reports the runs of filters to the trace and to the recording of an exchange. Copies nothing of exchanges with neither. On
 * the event loop.
 */
final class ObservedRuns {
    private final FilterContext context;
    private @Nullable FilterTrace trace;
    private Map<String, String> before = Map.of();

    ObservedRuns(FilterContext context) {
        this.context = context;
    }

    /** Records all later runs in {@code into}. */
    void trace(FilterTrace into) {
        trace = into;
    }

    /** A filter is about to run. */
    void begin() {
        if (trace != null) {
            trace.before(context.stage());
        }
        if (context.state().tap() != ExchangeTap.NONE) {
            before = FilterTrace.snapshot(context, context.stage());
        }
    }

    /** Reports a run, successful or not. @param from time of its start @param now nanoseconds */
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
