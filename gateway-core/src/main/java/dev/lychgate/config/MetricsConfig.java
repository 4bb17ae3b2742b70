package dev.lychgate.config;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The settings for metrics in addition to {@code /metrics} on the admin listener. The gateway can expose metrics by
 * JMX, and can send metrics to OpenTSDB or to an OpenTelemetry collector.
 */
public record MetricsConfig(
        boolean jmx,
        @Nullable MetricsPush opentsdb,
        @Nullable MetricsPush otlp,
        List<Duration> buckets) implements WrittenConfig.Section {
    /** The default upper bounds of histogram buckets, from 1 ms to 30 s. */
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

    /**
     * The maximum number of configured tags for OpenTSDB. The gateway adds tags to the configured tags, and OpenTSDB
     * limits the number of tags per series.
     */
    private static final int MOST_TAGS = 3;

    private static final String ALLOWED = "letters, digits, '-', '_', '.' and '/'";

    private static final Key<Boolean> JMX =
            Key.flag("jmx", true).about("exposes the metrics [as MBeans](metrics.md#jmx)");

    private static final Key<Map<String, String>> TAGS = Key.texts("tags", "name")
            .about("up to three tags of every row, in addition to `host`; names and values consist of letters, digits, "
                    + "`-`, `_`, `.` and `/`; `host` is the name of the machine unless it is set here");
    private static final Key<MetricsPush> OPENTSDB = Key.section("opentsdb", null, MetricsConfig::openTsdb)
            .absent("nothing is sent")
            .about("sends the metrics to [OpenTSDB](metrics.md#opentsdb)");
    private static final Key<MetricsPush> OTLP = Key.section("otlp", null, MetricsPush::read)
            .absent("nothing is sent")
            .about("sends the metrics to a receiver of [OpenTelemetry](metrics.md#otlp)");
    private static final Key<List<Duration>> BUCKETS = Key.typed(
                    "buckets",
                    Form.list(Form.PRECISE.within(new Form.Range(10_000, 3_600_000_000_000L, false))),
                    DEFAULT_BUCKETS)
            .called("list of durations")
            .unit("also in us")
            .between(1, 50)
            .about("the inclusive upper bounds of the [histograms](metrics.md#histograms-and-percentiles) "
                    + "of request durations and phases; ascending, each 10us to 1h; a change resets these histograms");

    static final Keys<MetricsConfig> KEYS = Keys.of(MetricsConfig::new, JMX, OPENTSDB, OTLP, BUCKETS);

    public static final MetricsConfig DEFAULT = KEYS.defaults();

    public MetricsConfig {
        BUCKETS.check(buckets);
        if (opentsdb != null) {
            forOpenTsdb(opentsdb);
        }
        buckets = Expect.copy(buckets);
        Duration last = Duration.ZERO;
        for (Duration bound : buckets) {
            String text = Durations.print(bound);
            Expect.that(
                    bound.compareTo(last) > 0,
                    "buckets",
                    text,
                    "ascending bounds: this bound must be above " + Durations.print(last));
            last = bound;
        }
    }

    private static MetricsPush openTsdb(Key.Values values) {
        return forOpenTsdb(MetricsPush.read(values, TAGS));
    }

    @Override
    public void complete(Map<String, @Nullable Object> section) {
        if (opentsdb != null) {
            Map<String, @Nullable Object> push = WrittenConfig.of(opentsdb);
            push.put(TAGS.name(), push.remove("attributes"));
            section.put(OPENTSDB.name(), push);
        }
    }

    /** Creates settings with the default buckets. */
    public MetricsConfig(boolean jmx, @Nullable MetricsPush opentsdb, @Nullable MetricsPush otlp) {
        this(jmx, opentsdb, otlp, DEFAULT_BUCKETS);
    }

    /**
     * Checks the labels of {@code push} against the restrictions of OpenTSDB, which other receivers do not have.
     *
     * @return {@code push}
     * @throws ConfigException if the labels are not valid tags
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
