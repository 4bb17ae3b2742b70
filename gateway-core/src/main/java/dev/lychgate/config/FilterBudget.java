package dev.lychgate.config;

import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The limits on the resources that a filter uses. The limits {@code cpu}, {@code allocation} and {@code time} apply to
 * the mean of all runs within a window of about one second. If a component is null, its value in {@code filters.budget}
 * applies. If that value is also missing, there is no limit.
 *
 * @param cpu the maximum mean CPU time of a run on the event loop
 * @param allocation the maximum mean heap memory that a run on the event loop allocates
 * @param time the maximum mean duration of a run, including the time in which the filter is blocked or pending
 * @param concurrency the maximum number of exchanges that are in the filter at the same time
 * @param over the action on a filter that exceeds {@code cpu}, {@code allocation} or {@code time}
 */
public record FilterBudget(
        @Nullable Duration cpu,
        @Nullable ByteSize allocation,
        @Nullable Duration time,
        @Nullable Integer concurrency,
        @Nullable Over over) {

    /** The action on a filter that exceeds its budget. */
    public enum Over {
        /** Logs and counts the excess, without further effect. */
        REPORT,
        /**
         * Disables the filter until the next generation. If the filter fails closed, its exchanges fail; otherwise,
         * they skip the filter.
         */
        EJECT,
        /**
         * While the filter exceeds its budget, admits one exchange at a time. After each run, the filter pauses for as
         * long as the run lasted.
         */
        LIMIT
    }

    private static final Key<Duration> CPU = Key.typed("cpu", Form.PRECISE, (Duration) null)
            .atLeast("1us")
            .absent("no bound")
            .about("the maximum of the mean CPU time of a run on the event loop");
    private static final Key<ByteSize> ALLOCATION = Key.typed("allocation", Form.SIZE, (ByteSize) null)
            .positive()
            .absent("no bound")
            .about("the maximum of the mean heap memory that a run allocates on the event loop");
    private static final Key<Duration> TIME = Key.typed("time", Form.PRECISE, (Duration) null)
            .atLeast("1us")
            .absent("no bound")
            .about("the maximum of the mean duration of a run, including the time in which the filter waits");
    private static final Key<Integer> CONCURRENCY = Key.typed("concurrency", Form.NUMBER, (Integer) null)
            .between(1, 1_000_000)
            .absent("no bound")
            .about("the maximum number of exchanges in the filter at the same time, per process; each event loop has a "
                    + "part of it, see `upstreams.*.pool`. Further exchanges are rejected with 503, or skip the filter "
                    + "if it fails open");
    private static final Key<Over> OVER = Key.typed("over", Form.choice(Over.class), (Over) null)
            .absent("the excess is reported")
            .about("the action on a filter that exceeds `cpu`, `allocation` or `time` in `guard.strikes` consecutive "
                    + "windows of about one second: `report` only logs and counts the excess, `eject` disables the "
                    + "filter until the next generation, `limit` admits one exchange at a time until the filter is "
                    + "within its budget");

    static final Keys<FilterBudget> KEYS = Keys.of(FilterBudget::new, CPU, ALLOCATION, TIME, CONCURRENCY, OVER);

    /** Inherits all limits. */
    public static final FilterBudget INHERITED = new FilterBudget(null, null, null, null, null);

    public FilterBudget {
        KEYS.check(cpu, allocation, time, concurrency, over);
    }

    /**
     * Reads limits by name, as in {@code FilterBudget.of(Map.of("cpu", "200us", "over", "eject"))}.
     *
     * @throws IllegalArgumentException if a name is unknown or a value is not accepted
     */
    public static FilterBudget of(Map<String, ?> bounds) {
        for (String name : bounds.keySet()) {
            if (KEYS.keys().stream().noneMatch(key -> key.name().equals(name))) {
                throw new IllegalArgumentException(
                        "budget " + name + " (expected: cpu, allocation, time, concurrency, over)");
            }
        }
        return new FilterBudget(
                read(CPU, bounds),
                read(ALLOCATION, bounds),
                read(TIME, bounds),
                read(CONCURRENCY, bounds),
                read(OVER, bounds));
    }

    private static <T> @Nullable T read(Key<T> key, Map<String, ?> bounds) {
        Object value = bounds.get(key.name());
        if (value == null) {
            return null;
        }
        try {
            return key.form().parse().apply(value.toString());
        } catch (RuntimeException e) {
            throw new IllegalArgumentException("budget " + key.name() + ": " + value + " (expected: "
                    + key.form().expected() + ")");
        }
    }

    /** Returns these limits, with each null component replaced by the value of this component in {@code others}. */
    public FilterBudget or(FilterBudget others) {
        return new FilterBudget(
                cpu == null ? others.cpu : cpu,
                allocation == null ? others.allocation : allocation,
                time == null ? others.time : time,
                concurrency == null ? others.concurrency : concurrency,
                over == null ? others.over : over);
    }

    /** Returns whether at least one resource has a limit. */
    public boolean isBounded() {
        return isMeasured() || time != null || concurrency != null;
    }

    /** Returns whether CPU time or allocation has a limit. */
    public boolean isMeasured() {
        return cpu != null || allocation != null;
    }

    /** Returns the action; {@link Over#REPORT} by default. */
    public Over action() {
        return Objects.requireNonNullElse(over, Over.REPORT);
    }
}
