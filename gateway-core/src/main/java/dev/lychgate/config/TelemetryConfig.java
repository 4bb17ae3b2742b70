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
    private static final Key<LogConfig> LOG = Key.section("log", LogConfig.KEYS)
            .restart()
            .about("the [application log](access-log.md#the-application-log), on standard error");
    private static final Key<MetricsConfig> METRICS = Key.section("metrics", MetricsConfig.KEYS)
            .about("where [what is counted](metrics.md) is shown, beside `/metrics` of the admin listener");
    private static final Key<RecorderConfig> RECORDER = Key.section("recorder", RecorderConfig.KEYS)
            .about("which exchanges have [their whole story](tracing.md#the-story-of-one-exchange) kept, "
                    + "besides those that failed");
    private static final Key<TracingConfig> TRACING = Key.section("tracing", null, () -> TracingConfig.KEYS)
            .absent("no tracing")
            .about("how exchanges take part in [distributed traces](tracing.md); without it, nothing that "
                    + "clients say of traces is looked at, and it passes untouched");

    static final Keys<TelemetryConfig> KEYS = Keys.of(TelemetryConfig::new, LOG, METRICS, RECORDER, TRACING);

    public static final TelemetryConfig DEFAULT = KEYS.defaults();
}
