package dev.lychgate.server.metrics;

import io.prometheus.metrics.expositionformats.ExpositionFormatWriter;
import io.prometheus.metrics.expositionformats.OpenMetricsTextFormatWriter;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import java.util.Locale;

/** The text formats of {@code /metrics}. */
public enum MetricsFormat {
    /** Prometheus' text format 0.0.4, which has no exemplars. */
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
     * Returns the format that a client prefers: OpenMetrics if the client names it, and weighs it no lower than plain text.
     * A wildcard selects Prometheus' format, and so does a field that is malformed.
     *
     * @param accept the value of {@code Accept}; empty if there is none
     * @see <a href="https://www.rfc-editor.org/rfc/rfc9110#section-12.5.1">RFC 9110, section 12.5.1</a>
     */
    public static MetricsFormat preferred(String accept) {
        double open = 0;
        double plain = 0;
        int specific = -1;
        for (String range : accept.toLowerCase(Locale.ROOT).split(",", -1)) {
            String[] parts = range.split(";", -1);
            String type = parts[0].strip();
            double weight = weight(parts);
            if (type.equals(OPENMETRICS_TYPE)) {
                open = Math.max(open, weight);
            }
            int rank = rank(type);
            if (rank > specific) {
                specific = rank;
                plain = weight;
            } else if (rank >= 0 && rank == specific) {
                plain = Math.max(plain, weight);
            }
        }
        return open > 0 && open >= plain ? OPENMETRICS : PROMETHEUS;
    }

    /** Returns how specifically a media range stands for {@code text/plain}; -1 if it does not include it. */
    private static int rank(String type) {
        return switch (type) {
            case "text/plain" -> 2;
            case "text/*" -> 1;
            case "*/*" -> 0;
            default -> -1;
        };
    }

    private static double weight(String[] parts) {
        for (int i = 1; i < parts.length; i++) {
            String part = parts[i].strip();
            if (part.startsWith("q=")) {
                return part.matches("q=(0(\\.\\d{0,3})?|1(\\.0{0,3})?)") ? Double.parseDouble(part.substring(2)) : 0;
            }
        }
        return 1;
    }
}
