package dev.lychgate.config;

import org.jspecify.annotations.Nullable;

/**
 * What the gateway tells of itself and its exchanges, beside the access log; each part is a section of its own in the file.
 *
 * @param log the application log of a process that serves alone
 * @param metrics where what is counted is shown, beside the admin listener
 * @param recorder which exchanges have their whole story kept
 * @param tracing how exchanges take part in distributed traces; null = not at all, the default
 */
public record TelemetryConfig(
        LogConfig log,
        MetricsConfig metrics,
        RecorderConfig recorder,
        @Nullable TracingConfig tracing) {
    public static final TelemetryConfig DEFAULT =
            new TelemetryConfig(LogConfig.DEFAULT, MetricsConfig.DEFAULT, RecorderConfig.DEFAULT, null);

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
