package dev.lychgate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.config.EndpointConfig;
import dev.lychgate.config.MatchConfig;
import dev.lychgate.config.RouteConfig;
import dev.lychgate.config.UpstreamConfig;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.Responses;
import dev.lychgate.testing.ScriptedOrigin;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The event stream of a running gateway, read like a dashboard. */
@Tag("slow")
class HystrixStreamTest {
    @Test
    void theStreamReportsTheOutcomesOfAttempts() throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.answering(
                        (r, c) -> c.send(Responses.of(r.target().equals("/bad") ? 500 : 200, "x")));
                Lychgate gateway = Lychgate.builder()
                        .listener("main", "127.0.0.1:0")
                        .admin("127.0.0.1:0")
                        .upstream(UpstreamConfig.of("live", new EndpointConfig("127.0.0.1", origin.port())))
                        .route(RouteConfig.proxy("all", MatchConfig.ANY, "live"))
                        .start();
                RawClient client = RawClient.connect(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), gateway.port("main")))) {
            HttpURLConnection stream =
                    (HttpURLConnection) URI.create("http://127.0.0.1:" + gateway.adminPort() + "/hystrix.stream")
                            .toURL()
                            .openConnection();
            stream.setReadTimeout(60_000);
            assertThat(stream.getResponseCode()).isEqualTo(200);
            assertThat(stream.getContentType()).startsWith("text/event-stream");
            try (BufferedReader events =
                    new BufferedReader(new InputStreamReader(stream.getInputStream(), StandardCharsets.UTF_8))) {
                assertThat(events.readLine()).startsWith("data: {").contains("\"type\":\"HystrixCommand\"");
                for (int i = 0; i < 10; i++) {
                    client.get(i < 4 ? "/bad" : "/good");
                }
                String line = "";
                for (int i = 0; i < 100 && !line.contains("\"rollingCountSuccess\":6"); i++) {
                    line = String.valueOf(events.readLine());
                }
                assertThat(line)
                        .contains("\"name\":\"live\"")
                        .contains("\"rollingCountSuccess\":6")
                        .contains("\"rollingCountFailure\":4")
                        .contains("\"isCircuitBreakerOpen\":false");
            }
            stream.disconnect();
        }
    }
}
