package dev.lychgate.exchange.state;

import dev.lychgate.chain.FilterSlot;
import dev.lychgate.filter.FilterOutcome;
import java.util.ArrayDeque;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Times of the filter calls of an exchange. Recorded for every exchange with filters, so instances are recycled per event
 * loop instead of allocated.
 */
public final class FilterTimes {
    private static final int USUAL = 16;

    /** Limit of recorded calls; longer or cyclic chains are truncated. */
    private static final int LONGEST = 256;

    /** Receives the filter calls. */
    public interface Visitor {
        /**
         * @param stage chain of the filter, as a {@linkplain FilterStage#label label}
         * @param from time of the call
         * @param to time of the outcome or cancellation
         * @param outcome null if the exchange ended first
         */
        void ran(FilterSlot slot, String stage, long from, long to, @Nullable FilterOutcome outcome);
    }

    private FilterSlot[] slots = new FilterSlot[USUAL];
    private FilterStage[] stages = new FilterStage[USUAL];
    private @Nullable FilterOutcome[] outcomes = new @Nullable FilterOutcome[USUAL];
    private long[] times = new long[2 * USUAL];
    private int count;

    /** Records a filter call. @param outcome null if the exchange ended first */
    public void ran(FilterSlot slot, FilterStage stage, long from, long to, @Nullable FilterOutcome outcome) {
        int at = count;
        if (at == slots.length && !grow()) {
            return;
        }
        slots[at] = slot;
        stages[at] = stage;
        outcomes[at] = outcome;
        times[2 * at] = from;
        times[2 * at + 1] = to;
        count = at + 1;
    }

    private boolean grow() {
        int more = 2 * slots.length;
        if (more > LONGEST) {
            return false;
        }
        slots = Arrays.copyOf(slots, more);
        stages = Arrays.copyOf(stages, more);
        outcomes = Arrays.copyOf(outcomes, more);
        times = Arrays.copyOf(times, 2 * more);
        return true;
    }

    public void visit(Visitor visitor) {
        for (int i = 0; i < count; i++) {
            visitor.ran(slots[i], stages[i].label(), times[2 * i], times[2 * i + 1], outcomes[i]);
        }
    }

    private void clear() {
        // A recycled instance must not retain filters of a former generation.
        Arrays.fill(slots, 0, count, null);
        Arrays.fill(outcomes, 0, count, null);
        count = 0;
    }

    /** Unused instances of one event loop. */
    public static final class Spare {
        private static final int MOST = 256;

        private final ArrayDeque<FilterTimes> unused = new ArrayDeque<>();

        public FilterTimes take() {
            FilterTimes one = unused.pollLast();
            return one == null ? new FilterTimes() : one;
        }

        public void giveBack(FilterTimes times) {
            times.clear();
            if (unused.size() < MOST && times.slots.length == USUAL) {
                unused.addLast(times);
            }
        }
    }
}
