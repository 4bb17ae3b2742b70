package dev.lychgate.server.registries;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.Lychgate;
import dev.lychgate.config.ByteSize;
import dev.lychgate.config.FilterConfig;
import dev.lychgate.config.FiltersConfig;
import dev.lychgate.config.MetricsConfig;
import dev.lychgate.config.MetricsPush;
import dev.lychgate.server.metrics.Family;
import dev.lychgate.server.metrics.Family.Sample;
import dev.lychgate.server.metrics.Figures;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.Responses;
import dev.lychgate.testing.ScriptedOrigin;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A gateway with an origin, which exports its metrics. */
final class ShownGateway implements AutoCloseable {
    final ScriptedOrigin origin = ScriptedOrigin.answering((request, c) -> c.send(Responses.ok("hello")));
    final Lychgate gateway;

    ShownGateway(MetricsConfig metrics) {
        gateway = Lychgate.builder()
                .listener("main", "127.0.0.1:0")
                .upstream("origin", "http://127.0.0.1:" + origin.port())
                .route("api", "/**", "origin")
                .filters(FiltersConfig.global(FilterConfig.of("request-id")))
                .metrics(metrics)
                .workers(2)
                .start();
    }

    /** Data is sent to this port each second, with a timeout of one second. */
    static MetricsPush everySecond(int port, String path, Map<String, String> labels, Map<String, String> headers) {
        return new MetricsPush(
                URI.create("http://127.0.0.1:" + port + path),
                Duration.ofSeconds(1),
                labels,
                headers,
                Duration.ofSeconds(1),
                ByteSize.ofMiB(8));
    }

    /** Each on a separate connection, so that all loops have some. */
    void get(int times) throws Exception {
        for (int i = 0; i < times; i++) {
            try (RawClient client =
                    RawClient.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), gateway.port("main")))) {
                assertThat(client.get("/x").status()).isEqualTo(200);
            }
        }
    }

    /** Returns the exported value of a series; NaN if there is none. */
    double value(String name, Map<String, String> labels) throws Exception {
        Figures figures = gateway.metrics().figures().get(10, TimeUnit.SECONDS);
        for (Family family : figures.families()) {
            for (Sample sample : family.samples()) {
                if (family.name().equals(name) && sample.labels().equals(labels)) {
                    return sample.value();
                }
            }
        }
        return Double.NaN;
    }

    @Override
    public void close() {
        gateway.close();
        origin.close();
    }
}
