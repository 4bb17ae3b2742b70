package dev.lychgate.server.metrics;

import static dev.lychgate.server.metrics.MetricsFormat.OPENMETRICS;
import static dev.lychgate.server.metrics.MetricsFormat.PROMETHEUS;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MetricsFormatTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "application/openmetrics-text",
                "Application/OpenMetrics-Text; version=1.0.0; charset=utf-8",
                "application/openmetrics-text;version=1.0.0;q=0.5,application/openmetrics-text;version=0.0.1;q=0.4,"
                        + "text/plain;version=0.0.4;q=0.2,*/*;q=0.1",
                "text/plain;q=0.3, application/openmetrics-text;q=0.3",
                "*/*;q=0.1, application/openmetrics-text;q=0.2",
                "text/html, application/openmetrics-text"
            })
    void isOpenMetricsIfTheClientNamesAndPrefersIt(String accept) {
        assertThat(MetricsFormat.preferred(accept)).isEqualTo(OPENMETRICS);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "*/*",
                "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
                "text/plain",
                "application/*",
                "application/openmetrics-text;q=0",
                "application/openmetrics-text;q=0.1, text/plain",
                "application/openmetrics-text;q=0.1, text/*;q=0.2",
                "application/openmetrics-text;q=2",
                "application/openmetrics-text;q=NaN",
                "application/openmetrics-textual",
                ";,;;q=,,/"
            })
    void isPrometheusOtherwise(String accept) {
        assertThat(MetricsFormat.preferred(accept)).isEqualTo(PROMETHEUS);
    }

    @Test
    void namesItsContentType() {
        assertThat(OPENMETRICS.contentType()).isEqualTo("application/openmetrics-text; version=1.0.0; charset=utf-8");
        assertThat(PROMETHEUS.contentType()).isEqualTo("text/plain; version=0.0.4; charset=utf-8");
    }
}
