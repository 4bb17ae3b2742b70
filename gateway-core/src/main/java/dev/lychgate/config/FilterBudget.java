package dev.lychgate.config;

import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The bounds of a filter: means per run over about a second, and exchanges at once. A component that is null is inherited from
 * {@code filters.budget}, and without a value there it is not bounded.
 *
 * @param cpu CPU time of a run on the event loop
 * @param allocation heap allocated by a run on the event loop
 * @param time duration of a run, waiting included
 * @param concurrency most exchanges in the filter at once
 * @param over the action on a filter that exceeds a mean
 */
public record FilterBudget(
        @Nullable Duration cpu,
        @Nullable ByteSize allocation,
        @Nullable Duration time,
        @Nullable Integer concurrency,
        @Nullable Over over) {

    /** The action on a filter that exceeds its budget. */
    public enum Over {
        /** Logs and counts it, without further effect. */
        REPORT,
        /** Disables the filter until the next generation. Exchanges skip the filter, or fail if it fails closed. */
        EJECT,
        /** Admits one exchange at a time, at most half of the time, while the filter exceeds its budget. */
        LIMIT
    }

    private static final Key<Duration> CPU = Key.typed("cpu", Form.PRECISE, (Duration) null)
            .atLeast("1us")
            .absent("no bound")
            .about("the CPU time of a run on the event loop, as a mean");
    private static final Key<ByteSize> ALLOCATION = Key.typed("allocation", Form.SIZE, (ByteSize) null)
            .positive()
            .absent("no bound")
            .about("the heap that a run allocates on the event loop, as a mean");
    private static final Key<Duration> TIME = Key.typed("time", Form.PRECISE, (Duration) null)
            .atLeast("1us")
            .absent("no bound")
            .about("the duration of a run, waiting included, as a mean");
    private static final Key<Integer> CONCURRENCY = Key.typed("concurrency", Form.NUMBER, (Integer) null)
            .between(1, 1_000_000)
            .absent("no bound")
            .about(
                    "the most exchanges in the filter at once, per process; counted per event loop as `upstreams.*.pool` "
                            + "describes. Further exchanges are rejected with 503, or skip the filter if it fails open");
    private static final Key<Over> OVER = Key.typed("over", Form.choice(Over.class), (Over) null)
            .absent("it is reported")
            .about(
                    "the action on a filter that exceeds a mean in `guard.strikes` consecutive windows: `report` logs and "
                            + "counts it only, `eject` disables it until the next generation, `limit` admits one exchange at a "
                            + "time until it is within its budget");

    static final Keys<FilterBudget> KEYS = Keys.of(FilterBudget::new, CPU, ALLOCATION, TIME, CONCURRENCY, OVER);

    /** Has no bounds. */
    public static final FilterBudget INHERITED = new FilterBudget(null, null, null, null, null);

    public FilterBudget {
        KEYS.check(cpu, allocation, time, concurrency, over);
    }

    /**
     * Reads bounds by their names: {@code FilterBudget.of(Map.of("cpu", "200us", "over", "eject"))}.
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

    /** Returns these bounds, with {@code others} instead of inherited ones. */
    public FilterBudget or(FilterBudget others) {
        return new FilterBudget(
                cpu == null ? others.cpu : cpu,
                allocation == null ? others.allocation : allocation,
                time == null ? others.time : time,
                concurrency == null ? others.concurrency : concurrency,
                over == null ? others.over : over);
    }

    /** Returns whether there is a bound. */
    public boolean isBounded() {
        return isMeasured() || time != null || concurrency != null;
    }

    /** Returns whether there is a bound of CPU time or allocation. */
    public boolean isMeasured() {
        return cpu != null || allocation != null;
    }

    /** Returns the action; {@link Over#REPORT} by default. */
    public Over action() {
        return Objects.requireNonNullElse(over, Over.REPORT);
    }
}
