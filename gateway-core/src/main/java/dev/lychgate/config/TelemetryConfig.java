package dev.lychgate.config;

import org.jspecify.annotations.Nullable;

/**
 * What the gateway tells of itself and its exchanges, beside the access log; each part is a section of its own in the file.
 */
public record TelemetryConfig(
        LogConfig log,
        MetricsConfig metrics,
        RecorderConfig recorder,
        @Nullable TracingConfig tracing) {
    private static final Key<LogConfig> LOG = Key.section("log", LogConfig.DEFAULT, LogConfig::read)
            .restart()
            .about("the [application log](access-log.md#the-application-log), on standard error");
    private static final Key<MetricsConfig> METRICS = Key.section("metrics", MetricsConfig.DEFAULT, MetricsConfig::read)
            .about("where [what is counted](metrics.md) is shown, beside `/metrics` of the admin listener");
    private static final Key<RecorderConfig> RECORDER = Key.section(
                    "recorder", RecorderConfig.DEFAULT, RecorderConfig::read)
            .about("which exchanges have [their whole story](tracing.md#the-story-of-one-exchange) kept, "
                    + "besides those that failed");
    private static final Key<TracingConfig> TRACING = Key.section("tracing", null, TracingConfig::read)
            .absent("no tracing")
            .about("how exchanges take part in [distributed traces](tracing.md); without it, nothing that "
                    + "clients say of traces is looked at, and it passes untouched");

    public static final TelemetryConfig DEFAULT = read(Key.DEFAULTS);

    /** Reads the sections, which stand at the top. */
    static TelemetryConfig read(Key.Values values) {
        return new TelemetryConfig(values.get(LOG), values.get(METRICS), values.get(RECORDER), values.get(TRACING));
    }

    TelemetryConfig with(LogConfig other) {
        return new TelemetryConfig(other, metrics, recorder, tracing);
    }

    TelemetryConfig with(MetricsConfig other) {
        return new TelemetryConfig(log, other, recorder, tracing);
    }

    TelemetryConfig with(RecorderConfig other) {
        return new TelemetryConfig(log, metrics, other, tracing);
    }

    TelemetryConfig withTracing(@Nullable TracingConfig other) {
        return new TelemetryConfig(log, metrics, recorder, other);
    }
}
