package dev.lychgate.server.metrics;

import dev.lychgate.filters.coding.AcceptEncoding;
import io.prometheus.metrics.expositionformats.ExpositionFormatWriter;
import io.prometheus.metrics.expositionformats.OpenMetricsTextFormatWriter;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import java.util.Map;

/** The text formats of {@code /metrics}. */
public enum MetricsFormat {
    /** Prometheus text format 0.0.4, without exemplars. */
    PROMETHEUS("text/plain; version=0.0.4; charset=utf-8"),
    /**
     * OpenMetrics 1.0.0, with exemplars.
     *
     * @see <a href="https://prometheus.io/docs/specs/om/open_metrics_spec/">OpenMetrics 1.0</a>
     */
    OPENMETRICS(OpenMetricsTextFormatWriter.CONTENT_TYPE);

    private static final String OPENMETRICS_TYPE = "application/openmetrics-text";

    private final String contentType;

    MetricsFormat(String contentType) {
        this.contentType = contentType;
    }

    public String contentType() {
        return contentType;
    }

    ExpositionFormatWriter writer() {
        return this == OPENMETRICS ? OpenMetricsTextFormatWriter.create() : PrometheusTextFormatWriter.create();
    }

    /**
     * Returns OpenMetrics if the client names it with at least the weight of plain text, otherwise the Prometheus
     * format. A wildcard or a malformed header does not select OpenMetrics.
     *
     * @param accept the value of {@code Accept}; empty if there is none
     * @see <a href="https://www.rfc-editor.org/rfc/rfc9110#section-12.5.1">RFC 9110, section 12.5.1</a>
     */
    public static MetricsFormat preferred(String accept) {
        Map<String, Integer> weights = AcceptEncoding.weights(accept);
        int open = weights.getOrDefault(OPENMETRICS_TYPE, 0);
        // Of the ranges that match plain text, the most specific one applies.
        int plain = weights.getOrDefault("text/plain", weights.getOrDefault("text/*", weights.getOrDefault("*/*", 0)));
        return open > 0 && open >= plain ? OPENMETRICS : PROMETHEUS;
    }
}
