package dev.lychgate.server.registries;

import static com.github.tomakehurst.wiremock.client.WireMock.aResponse;
import static com.github.tomakehurst.wiremock.client.WireMock.any;
import static com.github.tomakehurst.wiremock.client.WireMock.anyUrl;
import static com.github.tomakehurst.wiremock.core.WireMockConfiguration.options;
import static dev.lychgate.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import com.github.tomakehurst.wiremock.WireMockServer;
import com.github.tomakehurst.wiremock.client.ResponseDefinitionBuilder;
import com.github.tomakehurst.wiremock.http.Fault;
import dev.lychgate.config.MetricsConfig;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Failing receivers of metrics do not affect traffic. */
@Tag("slow")
class FailingReceiverTest {
    private static final Duration LONG = Duration.ofSeconds(60);

    static Stream<Arguments> faults() {
        return Stream.of(
                Arguments.of("answers 500", aResponse().withStatus(500)),
                Arguments.of("asks for a pause", aResponse().withStatus(503).withHeader("retry-after", "1")),
                Arguments.of("stalls", aResponse().withStatus(200).withFixedDelay(120_000)),
                Arguments.of("resets", aResponse().withFault(Fault.CONNECTION_RESET_BY_PEER)),
                Arguments.of("sends garbage", aResponse().withFault(Fault.RANDOM_DATA_THEN_CLOSE)));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("faults")
    void trafficContinuesAndMetricsArriveLater(String fault, ResponseDefinitionBuilder response) throws Exception {
        WireMockServer receiver =
                new WireMockServer(options().bindAddress("127.0.0.1").dynamicPort());
        receiver.start();
        receiver.stubFor(any(anyUrl()).willReturn(response));
        MetricsConfig both = new MetricsConfig(
                false,
                ShownGateway.everySecond(receiver.port(), "/api/put", Map.of(), Map.of()),
                ShownGateway.everySecond(receiver.port(), "/v1/metrics", Map.of(), Map.of()));
        try (ShownGateway shown = new ShownGateway(both)) {
            eventually(LONG, () -> {
                shown.get(20);
                assertThat(count(shown, "failed_tries_total", "opentsdb")).isGreaterThanOrEqualTo(2);
                assertThat(count(shown, "failed_tries_total", "otlp")).isGreaterThanOrEqualTo(2);
            });
            assertThat(count(shown, "delivered_total", "opentsdb")).isZero();
            assertThat(count(shown, "waiting", "opentsdb")).isPositive();
            assertThat(count(shown, "waiting", "otlp")).isPositive();

            receiver.stubFor(any(anyUrl()).willReturn(aResponse().withStatus(204)));
            eventually(LONG, () -> {
                shown.get(1);
                assertThat(count(shown, "delivered_total", "opentsdb")).isPositive();
                assertThat(count(shown, "delivered_total", "otlp")).isPositive();
            });
            assertThat(count(shown, "dropped_total", "opentsdb")).isZero();
            assertThat(count(shown, "dropped_total", "otlp")).isZero();
        } finally {
            receiver.stop();
        }
    }

    @Test
    void aStalledReceiverDoesNotDelayTheEnd() {
        WireMockServer receiver =
                new WireMockServer(options().bindAddress("127.0.0.1").dynamicPort());
        receiver.start();
        receiver.stubFor(any(anyUrl()).willReturn(aResponse().withStatus(200).withFixedDelay(120_000)));
        ShownGateway shown = new ShownGateway(new MetricsConfig(
                false, null, ShownGateway.everySecond(receiver.port(), "/v1/metrics", Map.of(), Map.of())));
        long begun = System.nanoTime();
        shown.close();
        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(40));
        receiver.stop();
    }

    private static double count(ShownGateway shown, String what, String receiver) throws Exception {
        return shown.value("lychgate_push_" + what, Map.of("receiver", receiver));
    }
}
