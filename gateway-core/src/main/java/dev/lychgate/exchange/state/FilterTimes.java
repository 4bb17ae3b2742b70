package dev.lychgate.exchange.state;

import dev.lychgate.chain.FilterSlot;
import dev.lychgate.filter.FilterOutcome;
import java.util.ArrayDeque;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * When which filter has run over an exchange. Written down for every exchange that meets filters, so it makes nothing on the
 * way: what one exchange has used, the next one of the event loop uses again.
 */
public final class FilterTimes {
    private static final int USUAL = 16;

    /** Chains that are longer than this, or that go round in circles, are told no further. */
    private static final int LONGEST = 256;

    /** Receives the filters that ran. */
    public interface Visitor {
        /**
         * @param stage the chain that it ran in: {@code global}, {@code route}, {@code endpoint}, {@code fallback}, {@code
         *     error} or {@code outbound}
         * @param from when it was called
         * @param to when it decided, or was cancelled
         * @param outcome its result; null if the exchange ended before
         */
        void ran(FilterSlot slot, String stage, long from, long to, @Nullable FilterOutcome outcome);
    }

    private FilterSlot[] slots = new FilterSlot[USUAL];
    private FilterStage[] stages = new FilterStage[USUAL];
    private @Nullable FilterOutcome[] outcomes = new @Nullable FilterOutcome[USUAL];
    private long[] times = new long[2 * USUAL];
    private int count;

    /** @param outcome null if nobody has waited for it */
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
        // Filters belong to a generation, which nothing here may keep alive.
        Arrays.fill(slots, 0, count, null);
        Arrays.fill(outcomes, 0, count, null);
        count = 0;
    }

    /** Those of one event loop that are not in use. */
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
