package dev.lychgate.config;

import org.jspecify.annotations.Nullable;

/**
 * The settings of the application log, metrics, the recorder, recordings and tracing. Each component is a separate
 * section in the file.
 */
public record TelemetryConfig(
        LogConfig log,
        MetricsConfig metrics,
        RecorderConfig recorder,
        @Nullable RecordConfig recording,
        @Nullable TracingConfig tracing) {
    private static final Key<LogConfig> LOG = Key.section("log", LogConfig.KEYS)
            .about("the [application log](access-log.md#the-application-log), on standard error");
    private static final Key<MetricsConfig> METRICS = Key.section("metrics", MetricsConfig.KEYS)
            .about("the ways in which [metrics](metrics.md) are exposed, in addition to `/metrics` of the admin "
                    + "listener");
    private static final Key<RecorderConfig> RECORDER = Key.section("recorder", RecorderConfig.KEYS)
            .about("the recorder, which keeps the [details of "
                    + "exchanges](tracing.md#the-story-of-one-exchange) that failed, were slow or were traced");
    private static final Key<RecordConfig> RECORDING = Key.section("record", null, () -> RecordConfig.KEYS)
            .absent("no recording")
            .about("the recording of [whole exchanges](record-and-replay.md) for replays");
    private static final Key<TracingConfig> TRACING = Key.section("tracing", null, () -> TracingConfig.KEYS)
            .absent("no tracing")
            .about("the settings of [distributed tracing](tracing.md); without this section, the gateway forwards "
                    + "trace contexts of clients unchanged and records no spans");

    static final Keys<TelemetryConfig> KEYS = Keys.of(TelemetryConfig::new, LOG, METRICS, RECORDER, RECORDING, TRACING);

    public static final TelemetryConfig DEFAULT = KEYS.defaults();
}
