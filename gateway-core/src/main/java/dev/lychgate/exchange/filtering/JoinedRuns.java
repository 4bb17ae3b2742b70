package dev.lychgate.exchange.filtering;

import dev.lychgate.blocking.JoinedCall;
import dev.lychgate.chain.FilterSlot;
import dev.lychgate.filter.BlockingFilter;
import dev.lychgate.filter.FilterExchange;
import dev.lychgate.filter.FilterOutcome;
import dev.lychgate.filter.JoinableFilter;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The runs of consecutive {@link dev.lychgate.filter.JoinableFilter joinable filters} on one thread. The thread records
 * the time and the outcome of each run. The event loop reads a run only after the run has ended.
 *
 * <p>No run begins after a run that does not let the exchange proceed, or after the exchange has abandoned the runs.
 */
final class JoinedRuns implements JoinedCall<FilterOutcome> {
    private final Run[] runs;
    /** The time of the call on the event loop, in nanoseconds. */
    private final long called;
    /** The difference between the clock of the event loop and the clock of the JVM, in nanoseconds. */
    private final long offset;
    /** The number of runs that have ended. Written by the thread of the runs, after the fields of the run. */
    private volatile int ended;

    private volatile boolean abandoned;
    /** The number of ended runs at the time at which the exchange abandoned the unfinished runs. */
    private int endedBefore;
    /** The number of runs that have been reported. Used on the event loop. */
    private int reported;

    /** One run of a filter. */
    static final class Run {
        final FilterSlot slot;
        final ExchangeView view;
        /** The time at which the run began, in nanoseconds; 0 before the run. */
        private volatile long begin;

        private long end;
        private @Nullable FilterOutcome outcome;
        private @Nullable Throwable failure;

        Run(FilterSlot slot, ExchangeView view) {
            this.slot = slot;
            this.view = view;
        }

        long begin() {
            return begin;
        }

        long end() {
            return end;
        }

        /** Returns the outcome; null if the filter returned no outcome or failed. */
        @Nullable
        FilterOutcome outcome() {
            return outcome;
        }

        @Nullable
        Throwable failure() {
            return failure;
        }

        private void run(long offset) {
            begin = System.nanoTime() + offset;
            try {
                outcome = ((BlockingFilter) slot.filter()).filter(view);
            } catch (Throwable e) {
                failure = e;
            }
            end = System.nanoTime() + offset;
        }

        private boolean proceeds() {
            return outcome == null ? !slot.failsClosed() : outcome == FilterOutcome.Proceed.PROCEED;
        }
    }

    /**
     * Returns the runs of a filter and of the following filters that can run on the same thread; null if the filter
     * runs alone.
     *
     * @param shared the view of synchronous filters
     * @param first the index of the filter
     * @param called the current time on the event loop, in nanoseconds
     */
    static @Nullable JoinedRuns of(
            FilterContext context, FilterExchange shared, FilterSlot[] slots, int first, long called) {
        if (!(slots[first].filter() instanceof JoinableFilter) || slots[first].budget() != null) {
            return null;
        }
        boolean declaresBody = slots[first].bodyLimit() != 0;
        int end = first + 1;
        while (end < slots.length && joins(context, shared, slots[end], declaresBody)) {
            declaresBody |= slots[end].bodyLimit() != 0;
            end++;
        }
        return end == first + 1
                ? null
                : new JoinedRuns(context, Arrays.asList(slots).subList(first, end), called);
    }

    private static boolean joins(
            FilterContext context, FilterExchange shared, FilterSlot slot, boolean bodyDeclaredBefore) {
        return slot.filter() instanceof JoinableFilter
                && slot.budget() == null
                && !slot.isEjected()
                && !slot.isDisabled(context.route())
                && slot.filter().applies(shared)
                && isBodyReady(context, shared, slot, bodyDeclaredBefore);
    }

    /**
     * Returns whether a filter can join without waiting for a body. Of the joined filters that declare a body, either
     * all must need the body of this exchange, or none may need it.
     */
    private static boolean isBodyReady(
            FilterContext context, FilterExchange shared, FilterSlot slot, boolean declaredBefore) {
        if (slot.bodyLimit() == 0) {
            return true;
        }
        if (!slot.filter().needsBody(shared)) {
            return !context.isBodyNeeded();
        }
        boolean ready =
                (context.isBodyNeeded() || !declaredBefore) && context.bodies().isWholeWithin(slot.bodyLimit());
        if (ready) {
            context.bodyNeeded();
        }
        return ready;
    }

    private JoinedRuns(FilterContext context, List<FilterSlot> slots, long called) {
        this.called = called;
        this.offset = called - System.nanoTime();
        this.runs = slots.stream()
                .map(slot -> new Run(slot, new ExchangeView(context, slot)))
                .toArray(Run[]::new);
    }

    /** Runs the filters on the current thread. */
    @Override
    public FilterOutcome call() {
        for (int i = 0; i < runs.length && !abandoned; i++) {
            runs[i].run(offset);
            ended = i + 1;
            if (!runs[i].proceeds()) {
                break;
            }
        }
        return FilterOutcome.Proceed.PROCEED;
    }

    /** Prevents further runs. The current run continues, and its result is ignored. */
    void abandon() {
        endedBefore = ended;
        abandoned = true;
    }

    /** Revokes the views of all filters. Called on the event loop. */
    void revoke() {
        for (Run run : runs) {
            run.view.revoke();
        }
    }

    @Override
    public FilterSlot running() {
        return runs[Math.min(ended, runs.length - 1)].slot;
    }

    /** Returns the number of ended runs, without runs that ended after the exchange had abandoned them. */
    int ended() {
        return abandoned ? endedBefore : ended;
    }

    /** Adds one to the number of runs whose outcomes count for the exchange, and returns the index of the added run. */
    int report() {
        return reported++;
    }

    /** Returns the number of runs whose outcomes count for the exchange. */
    int reported() {
        return reported;
    }

    int size() {
        return runs.length;
    }

    Run get(int index) {
        return runs[index];
    }

    /**
     * Returns the time at which a run could begin: the end of the previous run or, for the first run, the time of the
     * call.
     */
    long begin(int index) {
        return index == 0 ? called : runs[index - 1].end();
    }

    /**
     * Returns the time until the current run exceeds its timeout, in nanoseconds; 0 or less if the run has exceeded its
     * timeout.
     *
     * @param now the current time on the event loop, in nanoseconds
     */
    long rest(long now) {
        int index = Math.min(ended, runs.length - 1);
        Run run = runs[index];
        long begin = run.begin;
        if (begin == 0) {
            // The first filter may wait for a thread.
            begin = index == 0 ? called : now;
        }
        return begin + run.slot.timeoutNanos() - now;
    }
}
