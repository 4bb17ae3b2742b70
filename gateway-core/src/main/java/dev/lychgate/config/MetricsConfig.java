package dev.lychgate.config;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Where what is counted is shown, beside {@code /metrics} of the admin listener.
 *
 * @param jmx whether it is there as MBeans of the JVM; default true
 * @param opentsdb where it is sent as OpenTSDB takes it, to {@code /api/put}; its labels are tags. null = nowhere
 * @param otlp where it is sent as OpenTelemetry takes it, to {@code /v1/metrics}; its labels are attributes of the
 *     resource. null = nowhere
 * @param buckets inclusive upper bounds of the histograms of exchanges and their phases, ascending, from 10 µs to 1 h and at
 *     most 50; default {@link #DEFAULT_BUCKETS}
 */
public record MetricsConfig(
        boolean jmx,
        @Nullable MetricsPush opentsdb,
        @Nullable MetricsPush otlp,
        List<Duration> buckets) {
    /** From 1 ms to 30 s. */
    public static final List<Duration> DEFAULT_BUCKETS = Stream.of(
                    1_000,
                    2_500,
                    5_000,
                    10_000,
                    25_000,
                    50_000,
                    100_000,
                    250_000,
                    500_000,
                    1_000_000,
                    2_500_000,
                    5_000_000,
                    10_000_000,
                    30_000_000)
            .map(micros -> Duration.ofNanos(1_000L * micros))
            .toList();

    private static final int MOST_BUCKETS = 50;
    private static final Duration SHORTEST_BUCKET = Duration.ofNanos(10_000);
    private static final Duration LONGEST_BUCKET = Duration.ofHours(1);

    public static final MetricsConfig DEFAULT = new MetricsConfig(true, null, null, DEFAULT_BUCKETS);

    /** More than this, and OpenTSDB as it is installed refuses the series that have the most labels. */
    private static final int MOST_TAGS = 3;

    private static final String ALLOWED = "letters, digits, '-', '_', '.' and '/'";

    public MetricsConfig {
        if (opentsdb != null) {
            forOpenTsdb(opentsdb);
        }
        buckets = Expect.copy(buckets);
        int count = buckets.size();
        Expect.that(count >= 1 && count <= MOST_BUCKETS, "buckets", count + " bounds", "1 to " + MOST_BUCKETS);
        Duration last = Duration.ZERO;
        for (Duration bound : buckets) {
            String text = Durations.print(bound);
            boolean inRange = bound.compareTo(SHORTEST_BUCKET) >= 0 && bound.compareTo(LONGEST_BUCKET) <= 0;
            Expect.that(inRange, "buckets", text, "10us to 1h");
            Expect.that(
                    bound.compareTo(last) > 0, "buckets", text, "ascending bounds: more than " + Durations.print(last));
            last = bound;
        }
    }

    /** Creates settings with the default buckets. */
    public MetricsConfig(boolean jmx, @Nullable MetricsPush opentsdb, @Nullable MetricsPush otlp) {
        this(jmx, opentsdb, otlp, DEFAULT_BUCKETS);
    }

    /**
     * Checks what only OpenTSDB minds.
     *
     * @return {@code push}
     * @throws ConfigException if its labels can't be tags
     */
    public static MetricsPush forOpenTsdb(MetricsPush push) {
        push.labels().forEach((tag, value) -> {
            Expect.that(isOpenTsdb(tag), "tags", tag, ALLOWED);
            Expect.that(isOpenTsdb(value), "tags", value, ALLOWED);
        });
        int tags = push.labels().size();
        Expect.that(tags <= MOST_TAGS, "tags", tags + " tags", "at most " + MOST_TAGS);
        return push;
    }

    private static boolean isOpenTsdb(String text) {
        return text.matches("[A-Za-z0-9._/-]{1,128}");
    }
}
