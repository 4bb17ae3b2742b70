package dev.lychgate.server.accesslog;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.chain.FilterSet;
import dev.lychgate.config.AccessLogConfig;
import dev.lychgate.config.BindAddress;
import dev.lychgate.config.EndpointConfig;
import dev.lychgate.config.GatewayConfig;
import dev.lychgate.config.ListenerConfig;
import dev.lychgate.config.MatchConfig;
import dev.lychgate.config.RouteConfig;
import dev.lychgate.config.Transport;
import dev.lychgate.config.UpstreamConfig;
import dev.lychgate.gateway.Gateway;
import dev.lychgate.http.Redaction;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.RefusingPort;
import dev.lychgate.testing.Responses;
import dev.lychgate.testing.ScriptedOrigin;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class AccessLogTrafficTest {
    @Test
    void writesOneLineForEveryExchange() throws Exception {
        LinesInMemory sink = new LinesInMemory();
        AccessLog log = AccessLog.open(AccessLogConfig.DEFAULT, new JsonLines(Redaction.USUAL), sink);
        try (ScriptedOrigin origin = ScriptedOrigin.answering((request, c) -> c.send(Responses.ok("hello")));
                RefusingPort refusing = new RefusingPort();
                Gateway gateway =
                        Gateway.start(config(origin.port(), refusing.address().getPort()), FilterSet.EMPTY, log)) {
            try (RawClient client = RawClient.connect(gateway.address("main"))) {
                client.send("POST /api/a%20b?q=\"1\" HTTP/1.1\r\nHost: a.example\r\nContent-Length: 3\r\n"
                                + "User-Agent: me\r\nAuthorization: Bearer secret\r\nCookie: sid=secret\r\n\r\nabc")
                        .readResponse();
                client.get("/api/again");
                client.get("/dead");
                client.get("/nowhere");
                client.send("not http at all\r\n\r\n").readResponse();
            }
        }
        log.close();

        assertThat(sink.lines).hasSize(5).noneMatch(line -> line.contains("secret"));
        Map<String, String> first = LogInjectionTest.parse(sink.lines.get(0));
        assertThat(first)
                .containsEntry("listener", "main")
                .containsEntry("client", "127.0.0.1")
                .containsEntry("method", "POST")
                .containsEntry("host", "a.example")
                .containsEntry("path", "/api/a%20b")
                .containsEntry("query", "q=\"1\"")
                .containsEntry("status", "200")
                .containsEntry("request_bytes", "3")
                .containsEntry("response_bytes", "5")
                .containsEntry("route", "api")
                .containsEntry("upstream", "live")
                .containsEntry("attempts", "1")
                .containsEntry("generation", "1")
                .containsEntry("user_agent", "me")
                .containsKeys("id", "endpoint", "total_ms")
                .doesNotContainKeys("error", "error_side", "referer");
        assertThat(millis(first, "connect_ms")).isPositive().isLessThanOrEqualTo(millis(first, "pool_wait_ms"));
        assertThat(millis(first, "pool_wait_ms")).isLessThanOrEqualTo(millis(first, "first_byte_ms"));
        assertThat(millis(first, "first_byte_ms")).isLessThanOrEqualTo(millis(first, "total_ms"));

        assertThat(LogInjectionTest.parse(sink.lines.get(1)))
                .containsEntry("pool_wait_ms", "0.000")
                .containsKey("first_byte_ms")
                .doesNotContainKey("connect_ms");
        assertThat(LogInjectionTest.parse(sink.lines.get(2)))
                .containsEntry("status", "502")
                .containsEntry("error", "connect-refused")
                .containsEntry("error_side", "upstream")
                .doesNotContainKeys("pool_wait_ms", "connect_ms", "first_byte_ms");
        assertThat(LogInjectionTest.parse(sink.lines.get(3)))
                .containsEntry("status", "404")
                .containsEntry("error", "no-route")
                .doesNotContainKeys("route", "upstream", "endpoint");
        assertThat(LogInjectionTest.parse(sink.lines.get(4)))
                .containsEntry("status", "400")
                .containsEntry("error", "malformed-request")
                .containsEntry("error_side", "downstream")
                .doesNotContainKeys("method", "host", "path", "query", "protocol");
    }

    private static double millis(Map<String, String> line, String field) {
        return Double.parseDouble(line.getOrDefault(field, "NaN"));
    }

    private static GatewayConfig config(int port, int refusing) {
        return new GatewayConfig(
                1,
                Transport.AUTO,
                GatewayConfig.DEFAULT_DRAIN,
                List.of(ListenerConfig.of("main", new BindAddress("127.0.0.1", 0))),
                List.of(
                        RouteConfig.proxy("api", MatchConfig.path("/api/**"), "live"),
                        RouteConfig.proxy("dead", MatchConfig.path("/dead"), "dead")),
                Map.of(
                        "live", UpstreamConfig.of("live", new EndpointConfig("127.0.0.1", port)),
                        "dead", UpstreamConfig.of("dead", new EndpointConfig("127.0.0.1", refusing))),
                null,
                AccessLogConfig.DEFAULT);
    }
}
