package dev.lychgate.server.accesslog;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.Lychgate;
import dev.lychgate.chain.FilterSet;
import dev.lychgate.config.AccessLogConfig;
import dev.lychgate.config.GatewayConfig;
import dev.lychgate.config.LoggedHeaders;
import dev.lychgate.config.MatchConfig;
import dev.lychgate.config.RouteAccessLog;
import dev.lychgate.config.RouteConfig;
import dev.lychgate.config.SampleRate;
import dev.lychgate.gateway.Gateway;
import dev.lychgate.http.Redaction;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.RefusingPort;
import dev.lychgate.testing.ScriptedOrigin;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The exchanges in a sampled log. */
class SamplingTest {
    private static final int REQUESTS = 400;

    @Test
    void aShareOfSuccessesAndAllFailuresAreWritten() throws Exception {
        List<Map<String, String>> lines =
                lines(AccessLogConfig.DEFAULT.withSample(SampleRate.parse("25%")), null, client -> {
                    for (int i = 0; i < REQUESTS; i++) {
                        client.get("/api/ok");
                    }
                    client.get("/api/broken");
                    client.get("/down");
                    client.get("/nowhere");
                });

        List<Map<String, String>> sampled = lines.stream()
                .filter(line -> "/api/ok".equals(line.get("path")))
                .toList();
        // At a rate of one in four, a count outside these bounds occurs less than once in a billion runs.
        assertThat(sampled)
                .hasSizeBetween(45, 165)
                .allSatisfy(line -> assertThat(line).containsEntry("sample", "0.25"));
        assertThat(lines.subList(lines.size() - 3, lines.size()))
                .extracting(line -> line.get("status"))
                .containsExactly("500", "502", "404");
        assertThat(lines.subList(lines.size() - 3, lines.size()))
                .allSatisfy(line -> assertThat(line).doesNotContainKey("sample"));
    }

    @Test
    void aRouteMayHaveAnotherShare() throws Exception {
        AccessLogConfig none = AccessLogConfig.DEFAULT.withSample(SampleRate.parse("0"));
        List<Map<String, String>> lines = lines(none, new RouteAccessLog.Sampled(SampleRate.ALL), client -> {
            client.get("/api/ok");
            client.get("/other");
        });

        assertThat(lines)
                .singleElement()
                .satisfies(line ->
                        assertThat(line).containsEntry("path", "/api/ok").doesNotContainKey("sample"));
    }

    @Test
    void aRouteMayHaveNoLinesAtAllThoughItFails() throws Exception {
        List<Map<String, String>> lines = lines(AccessLogConfig.DEFAULT, RouteAccessLog.OFF, client -> {
            client.get("/api/ok");
            client.get("/api/broken");
            client.get("/other");
        });

        assertThat(lines).singleElement().satisfies(line -> assertThat(line).containsEntry("path", "/other"));
    }

    @Test
    void fieldsOfRequestAndResponseAreLogged() throws Exception {
        AccessLogConfig config = AccessLogConfig.DEFAULT.withHeaders(
                new LoggedHeaders(List.of("X-Tenant", "Authorization"), List.of("Content-Type", "X-None")));
        List<Map<String, String>> lines = lines(
                config,
                null,
                client -> client.send(
                                "GET /api/ok HTTP/1.1\r\nHost: a\r\nX-Tenant: acme\r\nX-Tenant: ajax\r\nAuthorization: Bearer hidden\r\n\r\n")
                        .readResponse());

        assertThat(lines)
                .singleElement()
                .satisfies(line -> assertThat(line)
                        .containsEntry("request_headers.x-tenant", "acme, ajax")
                        .containsEntry("request_headers.authorization", "***")
                        .containsEntry("response_headers.content-type", "text/plain")
                        .doesNotContainKey("response_headers.x-none"));
    }

    /** The action of a client. */
    private interface Requests {
        void send(RawClient client) throws Exception;
    }

    private static List<Map<String, String>> lines(
            AccessLogConfig config, @Nullable RouteAccessLog ofRoute, Requests requests) throws Exception {
        LinesInMemory sink = new LinesInMemory();
        AccessLog log = AccessLog.open(config, new JsonLines(Redaction.USUAL), sink);
        try (ScriptedOrigin origin = ScriptedOrigin.answering((request, c) -> c.send("HTTP/1.1 "
                        + (request.target().contains("broken") ? "500 Broken" : "200 OK")
                        + "\r\nContent-Type: text/plain\r\nContent-Length: 2\r\n\r\nok"));
                RefusingPort refusing = new RefusingPort()) {
            GatewayConfig settings = Lychgate.builder()
                    .listener("main", "127.0.0.1:0")
                    .upstream("live", "http://127.0.0.1:" + origin.port())
                    .upstream("dead", "http://127.0.0.1:" + refusing.address().getPort())
                    .route(RouteConfig.proxy("api", MatchConfig.path("/api/**"), "live")
                            .withAccessLog(ofRoute))
                    .route("other", "/other", "live")
                    .route("down", "/down", "dead")
                    .config();
            try (Gateway gateway = Gateway.start(settings, FilterSet.EMPTY, log);
                    RawClient client = RawClient.connect(gateway.address("main"))) {
                requests.send(client);
            }
        }
        log.close();
        List<Map<String, String>> lines = new ArrayList<>();
        for (String line : sink.lines) {
            lines.add(LogInjectionTest.parse(line));
        }
        return lines;
    }
}
