package dev.lychgate.config;

import org.jspecify.annotations.Nullable;

/**
 * Where what is counted is shown, beside {@code /metrics} of the admin listener.
 *
 * @param jmx whether it is there as MBeans of the JVM; default true
 * @param opentsdb where it is sent as OpenTSDB takes it, to {@code /api/put}; its labels are tags. null = nowhere
 * @param otlp where it is sent as OpenTelemetry takes it, to {@code /v1/metrics}; its labels are attributes of the
 *     resource. null = nowhere
 */
public record MetricsConfig(
        boolean jmx,
        @Nullable MetricsPush opentsdb,
        @Nullable MetricsPush otlp) {
    public static final MetricsConfig DEFAULT = new MetricsConfig(true, null, null);

    /** More than this, and OpenTSDB as it is installed refuses the series that have the most labels. */
    private static final int MOST_TAGS = 3;

    private static final String ALLOWED = "letters, digits, '-', '_', '.' and '/'";

    public MetricsConfig {
        if (opentsdb != null) {
            forOpenTsdb(opentsdb);
        }
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
