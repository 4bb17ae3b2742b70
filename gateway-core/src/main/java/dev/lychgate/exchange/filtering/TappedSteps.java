package dev.lychgate.exchange.filtering;

import dev.lychgate.chain.FilterSlot;
import dev.lychgate.exchange.state.ExchangeTap;
import dev.lychgate.filter.FilterOutcome;
import java.util.Map;

/** Reports the runs of filters to the tap of a recorded exchange. Copies nothing of other exchanges. On the event loop. */
final class TappedSteps {
    private final FilterContext context;
    private Map<String, String> before = Map.of();

    TappedSteps(FilterContext context) {
        this.context = context;
    }

    void begin() {
        if (context.state().tap() != ExchangeTap.NONE) {
            before = FilterTrace.snapshot(context, context.stage());
        }
    }

    /** Reports a run. @param from time of its start @param now nanoseconds */
    void end(FilterSlot slot, long from, long now, FilterOutcome outcome) {
        ExchangeTap tap = context.state().tap();
        if (tap != ExchangeTap.NONE) {
            Map<String, String> after = FilterTrace.snapshot(context, context.stage());
            tap.onFilter(context.stage(), slot.name(), from, now, outcome, before, after);
        }
    }
}
