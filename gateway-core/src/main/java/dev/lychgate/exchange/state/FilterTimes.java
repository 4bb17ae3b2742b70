package dev.lychgate.exchange.state;

import dev.lychgate.chain.FilterSlot;
import dev.lychgate.filter.FilterOutcome;
import java.util.ArrayDeque;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The start and end times of the filter calls of an exchange. Every exchange with filters records these times, so each
 * event loop recycles instances to avoid allocation.
 */
public final class FilterTimes {
    private static final int USUAL = 16;

    /** Maximum number of recorded calls. Further calls are not recorded. */
    private static final int LONGEST = 256;

    /** Receives the filter calls. */
    public interface Visitor {
        /**
         * Receives one filter call.
         *
         * @param stage the {@linkplain FilterStage#label label} of the filter's chain
         * @param from the time of the call
         * @param to the time of the outcome or cancellation
         * @param outcome the outcome; null if the exchange ended first
         */
        void ran(FilterSlot slot, String stage, long from, long to, @Nullable FilterOutcome outcome);
    }

    private FilterSlot[] slots = new FilterSlot[USUAL];
    private FilterStage[] stages = new FilterStage[USUAL];
    private @Nullable FilterOutcome[] outcomes = new @Nullable FilterOutcome[USUAL];
    private long[] times = new long[2 * USUAL];
    private int count;

    /**
     * Records a filter call.
     *
     * @param outcome the outcome; null if the exchange ended first
     */
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
        // References are cleared, because a recycled instance must not keep filters of a replaced generation in memory.
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
