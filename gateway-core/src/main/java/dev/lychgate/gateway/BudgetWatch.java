package dev.lychgate.gateway;

import dev.lychgate.chain.BudgetMeter;
import dev.lychgate.chain.FilterForm;
import dev.lychgate.chain.FilterSlot;
import dev.lychgate.config.ByteSize;
import dev.lychgate.config.FilterBudget;
import dev.lychgate.config.FilterGuard;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compares the cost of one filter with its budget, in consecutive windows of time. A window lasts at least one second
 * and contains at least {@value #LEAST} runs of the filter. The gateway may measure CPU time and allocation in some of
 * the runs. In this case, a window also contains at least {@value #LEAST} measured runs.
 *
 * <p>If a mean cost per run in a window exceeds the budget, the window counts as a strike. A window within the budget
 * resets the number of strikes to 0. Runs on the watchdog thread.
 */
final class BudgetWatch {
    private static final Logger LOG = LoggerFactory.getLogger(BudgetWatch.class);

    private static final long WINDOW = TimeUnit.SECONDS.toNanos(1);
    /**
     * The minimum number of runs, and of measured runs, per window. With fewer runs, one run that is slow because of a
     * page fault or interpreted code would distort the mean.
     */
    private static final int LEAST = 8;
    /** The maximum number of stack traces per window. The stack traces show where the filter spends its time. */
    private static final int STACKS = 8;

    final FilterSlot slot;
    private final BudgetMeter meter;
    private final FilterGuard guard;

    private long begin;
    private BudgetMeter.Totals totals;
    private int strikes;
    private final Map<StackTraceElement, Integer> places = new HashMap<>();
    private int stacks;
    private int waits;

    BudgetWatch(FilterSlot slot, BudgetMeter meter, FilterGuard guard, long now) {
        this.slot = slot;
        this.meter = meter;
        this.guard = guard;
        this.totals = meter.totals();
        begin(now);
    }

    private void begin(long now) {
        begin = now;
        totals = meter.totals();
        places.clear();
        stacks = 0;
        waits = 0;
    }

    /** Returns whether the budget bounds CPU time or allocation, but the JVM can't measure them. */
    boolean isUnmeasured() {
        return meter.budget().isMeasured() && !meter.isMeasuring() && slot.form() != FilterForm.BLOCKING;
    }

    /** Returns whether stack traces of the filter's runs are needed, because the filter seems to exceed its budget. */
    boolean isSuspect(long now) {
        return stacks < STACKS
                && (strikes > 0
                        || (now - begin >= WINDOW / 2 && !excess(current(now)).isEmpty()));
    }

    /**
     * Adds the stack trace of a thread that runs the filter.
     *
     * @param waits whether the thread waits
     */
    void add(StackTraceElement[] stack, boolean waits) {
        StackTraceElement place = slot.placeIn(stack);
        if (place != null) {
            if (place.getLineNumber() > 0) {
                places.merge(place, 1, Integer::sum);
            }
            stacks++;
            this.waits += waits ? 1 : 0;
        }
    }

    /**
     * Compares the filter's means in the current window with its budget, if the window is complete.
     *
     * @param now the current time, in nanoseconds
     * @param offloads whether the gateway can off-load filters
     */
    void look(long now, boolean offloads) {
        if (now - begin < WINDOW) {
            return;
        }
        Window window = current(now);
        if (!window.isComplete(meter.isMeasuring())) {
            return;
        }
        String excess = excess(window);
        if (!excess.isEmpty() && strikes == 0 && places.isEmpty() && now - begin < 2 * WINDOW) {
            return; // extends the window until a stack trace shows a line of the filter
        }
        strikes = excess.isEmpty() ? 0 : strikes + 1;
        meter.evaluated(window.means(), strikes);
        if (strikes > 0) {
            slot.stats().overBudget();
            strike(window, excess, offloads);
        } else if (meter.isLimited()) {
            meter.limit(false);
            LOG.warn("{} is within its budget again, so it is no longer limited to one exchange at a time", slot);
        }
        begin(now);
    }

    /** The measurements of the filter in one window. */
    private record Window(long nanos, long runs, long runNanos, long samples, long bytes, long cpuSamples, long cpu) {
        boolean isComplete(boolean measured) {
            return runs >= LEAST && (!measured || (samples >= LEAST && cpuSamples >= LEAST));
        }

        BudgetMeter.Means means() {
            return new BudgetMeter.Means(
                    cpuSamples == 0 ? 0 : cpu / cpuSamples,
                    samples == 0 ? 0 : bytes / samples,
                    runs == 0 ? 0 : runNanos / runs,
                    runs * TimeUnit.SECONDS.toNanos(1) / Math.max(1, nanos));
        }
    }

    private Window current(long now) {
        BudgetMeter.Totals t = meter.totals();
        return new Window(
                now - begin,
                t.runs() - totals.runs(),
                t.nanos() - totals.nanos(),
                t.samples() - totals.samples(),
                t.bytes() - totals.bytes(),
                t.cpuSamples() - totals.cpuSamples(),
                t.cpuNanos() - totals.cpuNanos());
    }

    /**
     * Describes the mean costs per run that exceed the budget, for the log. Returns an empty text if no mean exceeds
     * the budget, or if the window has too few runs.
     */
    private String excess(Window window) {
        List<String> all = new ArrayList<>();
        FilterBudget budget = meter.budget();
        BudgetMeter.Means means = window.means();
        if (window.cpuSamples >= LEAST
                && budget.cpu() != null
                && means.cpuNanos() > budget.cpu().toNanos()) {
            all.add("CPU time " + micros(means.cpuNanos()) + " per run (bound " + micros(budget.cpu()) + ")");
        }
        if (window.samples >= LEAST
                && budget.allocation() != null
                && means.bytes() > budget.allocation().bytes()) {
            all.add("allocation " + new ByteSize(means.bytes()) + " per run (bound " + budget.allocation() + ")");
        }
        if (window.runs >= LEAST
                && budget.time() != null
                && means.nanos() > budget.time().toNanos()) {
            all.add("time " + micros(means.nanos()) + " per run (bound " + micros(budget.time()) + ")");
        }
        return String.join(", ", all);
    }

    private static String micros(Duration of) {
        return micros(of.toNanos());
    }

    private static String micros(long nanos) {
        return TimeUnit.NANOSECONDS.toMicros(nanos) + " us";
    }

    private void strike(Window window, String excess, boolean offloads) {
        boolean offload =
                offloads && guard.offload() && waits > stacks / 2 && slot.isOffloadable() && !slot.isEjected();
        if (offload) {
            slot.offload();
        }
        boolean acts = strikes == guard.strikes() && !slot.isEjected();
        if (strikes == 1 || acts || strikes == 10 || strikes % 60 == 0) {
            LOG.warn(
                    "{} exceeds its budget: {}, at {}; {} runs/s; strike {} of {}{}",
                    slot,
                    excess,
                    slot.placeWords(place()),
                    window.means().runsPerSecond(),
                    strikes,
                    guard.strikes(),
                    offload ? "; it runs on virtual threads from now on" : "");
        }
        if (!acts) {
            return;
        }
        switch (meter.budget().action()) {
            case EJECT -> FilterWatchdog.eject(slot, false);
            case LIMIT -> {
                meter.limit(true);
                LOG.error(
                        "{} exceeds its budget; until it is within its budget again, it runs for one exchange at a time"
                                + " and pauses after each run for as long as the run lasted",
                        slot);
            }
            case REPORT -> {}
        }
    }

    /**
     * Returns the line of the filter's code that occurs most often in the collected stack traces; null if they contain
     * no such line.
     */
    private @Nullable StackTraceElement place() {
        return places.entrySet().stream()
                .max(Map.Entry.comparingByValue())
                .map(Map.Entry::getKey)
                .orElse(null);
    }
}
