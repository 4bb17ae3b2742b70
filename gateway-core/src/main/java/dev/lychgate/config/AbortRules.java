package dev.lychgate.config;

import java.time.Duration;

/**
 * The largest differences between the candidate and the stable generation that a rollout tolerates. A larger difference
 * aborts the rollout. The gateway compares the figures of both generations for one period. Shares are in percentage
 * points.
 *
 * @param errors the maximum by which the candidate's share of failed exchanges may exceed the stable generation's share
 * @param p99 the maximum by which the candidate's latency may exceed the stable generation's latency, at the median,
 *     the 90th and the 99th percentile
 * @param filterFailures the maximum by which the candidate's share of exchanges with a failed filter may exceed the
 *     stable generation's share
 * @param statusShift the maximum by which the candidate's share of a status class, such as 4xx, may exceed the stable
 *     generation's share; for 2xx, the maximum by which it may fall below that share
 */
public record AbortRules(
        Tolerance<SampleRate> errors,
        Tolerance<Duration> p99,
        Tolerance<SampleRate> filterFailures,
        Tolerance<SampleRate> statusShift) {
    private static final Key<Tolerance<SampleRate>> ERRORS = Key.typed("errors", Tolerance.SHARE, Tolerance.share("1%"))
            .about("the percentage points by which the candidate's share of failed exchanges may exceed the share of "
                    + "the stable generation; an exchange has failed if it has a status of 5xx, or an error of the "
                    + "gateway that the client did not cause");
    private static final Key<Tolerance<Duration>> P99 = Key.typed("p99", Tolerance.LATENCY, Tolerance.latency("20ms"))
            .about("the time by which each percentile of the candidate's latency (the median, the 90th and the 99th) "
                    + "may exceed the same percentile of the stable generation");
    private static final Key<Tolerance<SampleRate>> FILTER_FAILURES = Key.typed(
                    "filter-failures", Tolerance.SHARE, Tolerance.share("0.5%"))
            .about("the percentage points by which the candidate's share of exchanges with a failed filter may "
                    + "exceed the share of the stable generation, whether the filter fails open or closed");
    private static final Key<Tolerance<SampleRate>> STATUS_SHIFT = Key.typed(
                    "status-shift", Tolerance.SHARE, Tolerance.share("2%"))
            .about("the percentage points by which the candidate's share of any status class, such as 4xx, may exceed "
                    + "the share of the stable generation; for 2xx, the points by which the candidate's share may be "
                    + "lower");

    static final Keys<AbortRules> KEYS = Keys.of(AbortRules::new, ERRORS, P99, FILTER_FAILURES, STATUS_SHIFT);

    /** The default rules: {@code errors: +1%, p99: +20ms, filter-failures: +0.5%, status-shift: +2%}. */
    public static final AbortRules DEFAULT = KEYS.defaults();
}
