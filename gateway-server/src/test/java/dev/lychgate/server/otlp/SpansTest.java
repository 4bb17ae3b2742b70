package dev.lychgate.server.otlp;

import static com.github.tomakehurst.wiremock.client.WireMock.aResponse;
import static com.github.tomakehurst.wiremock.client.WireMock.equalTo;
import static com.github.tomakehurst.wiremock.client.WireMock.post;
import static com.github.tomakehurst.wiremock.client.WireMock.postRequestedFor;
import static com.github.tomakehurst.wiremock.client.WireMock.urlEqualTo;
import static com.github.tomakehurst.wiremock.core.WireMockConfiguration.options;
import static dev.lychgate.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import com.github.tomakehurst.wiremock.WireMockServer;
import dev.lychgate.Lychgate;
import dev.lychgate.chain.FilterSet;
import dev.lychgate.config.GatewayConfig;
import dev.lychgate.filter.AsyncFilter;
import dev.lychgate.filter.FilterCall;
import dev.lychgate.filter.FilterExchange;
import dev.lychgate.filter.FilterOutcome;
import dev.lychgate.filter.FilterPhase;
import dev.lychgate.filter.InboundFilter;
import dev.lychgate.filter.SyncFilter;
import dev.lychgate.server.otlp.SpanReader.Span;
import dev.lychgate.server.recorder.RecordedJson;
import dev.lychgate.server.yaml.ConfigReader;
import dev.lychgate.testing.Gate;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.RawMessage;
import dev.lychgate.testing.RefusingPort;
import dev.lychgate.testing.Responses;
import dev.lychgate.testing.ScriptedOrigin;
import dev.lychgate.testing.WebSockets;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Spans of an exchange at the collector, and trace context at the origins. */
@Tag("slow")
class SpansTest {
    private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";
    private static final String PARENT = "b7ad6b7169203331";

    private final WireMockServer collector = new WireMockServer(options().dynamicPort());

    @BeforeEach
    void collect() {
        collector.start();
        collector.stubFor(post("/v1/traces").willReturn(aResponse().withStatus(200)));
    }

    @AfterEach
    void stop() {
        collector.stop();
    }

    private GatewayConfig config(String route, String... origins) throws Exception {
        return config(route, "", List.of(origins));
    }

    /** @param more further sections */
    private GatewayConfig config(String route, String more, List<String> origins) throws Exception {
        String yaml = more + """
                listeners: [{ name: main, address: "127.0.0.1:0", trusted-proxies: [127.0.0.1] }]
                routes: [{ id: api, match: { path: "/**" }, upstream: api%s }]
                upstreams: { api: { endpoints: [%s], balance: { algorithm: round-robin } } }
                access-log: { format: off }
                tracing:
                  sample: 100%%
                  service: front
                  otlp: { url: "http://127.0.0.1:%d/v1/traces", headers: { x-key: "very secret" } }
                """.formatted(route, String.join(", ", origins), collector.port());
        return new ConfigReader(name -> null).read("test.yml", yaml).config();
    }

    /** The values select a bucket, and the collector may keep spans for longer than the gateway keeps logs. */
    @Test
    void spansContainNoCredentialsOfTheRequest() throws Exception {
        String limits = """
                rate-limits:
                  keys: { key: ["query:access_token", "cookie:sid", "header:authorization"], limit: 1/h }
                """;
        try (ScriptedOrigin origin = ScriptedOrigin.start().onConnection(c -> c.answerEvery(r -> Responses.ok("hi")));
                Lychgate gateway =
                        Lychgate.start(config(", rate-limit: keys", limits, List.of(at(origin.address()))))) {
            try (RawClient client = client(gateway)) {
                for (int status : new int[] {200, 429}) {
                    client.send("GET /x?access_token=s3cret HTTP/1.1\r\nHost: a.example\r\nCookie: sid=s3cret\r\n"
                            + "Authorization: Bearer s3cret\r\n\r\n");
                    assertThat(client.readResponse().status()).isEqualTo(status);
                }
            }
            gateway.drain(Duration.ofSeconds(5));
            assertThat(spans().stream().filter(Span::isServer)).hasSize(2);
            assertThat(collector.findAll(postRequestedFor(urlEqualTo("/v1/traces"))))
                    .allSatisfy(request ->
                            assertThat(request.getBodyAsString()).contains("/x").doesNotContain("s3cret"));
        }
    }

    private static String at(InetSocketAddress address) {
        return "http://127.0.0.1:" + address.getPort();
    }

    private static RawClient client(Lychgate gateway) throws Exception {
        return RawClient.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), gateway.port("main")));
    }

    private static String get(String... fields) {
        return "GET /x HTTP/1.1\r\nHost: a.example\r\n" + String.join("", fields) + "\r\n";
    }

    /** Returns all received spans. The gateway is closed, so no more arrive. */
    private List<Span> spans() {
        List<Span> spans = new ArrayList<>();
        collector
                .findAll(postRequestedFor(urlEqualTo("/v1/traces")))
                .forEach(request -> spans.addAll(SpanReader.spans(request.getBody())));
        return spans;
    }

    private Span server() {
        return spans().stream().filter(Span::isServer).findFirst().orElseThrow();
    }

    /** The spans of attempts, each of which must lie within the exchange's, under it. */
    private List<Span> attempts() {
        Span server = server();
        List<Span> attempts = spans().stream().filter(span -> !span.isServer()).toList();
        assertThat(attempts).allSatisfy(attempt -> {
            assertThat(attempt.kind()).isEqualTo(3);
            assertThat(attempt.trace()).isEqualTo(server.trace());
            assertThat(attempt.parent()).isEqualTo(server.id());
            assertThat(attempt.start()).isBetween(server.start(), server.end());
            assertThat(attempt.end()).isBetween(attempt.start(), server.end());
        });
        assertThat(attempts).extracting(Span::id).doesNotHaveDuplicates();
        return attempts;
    }

    @Test
    void aPlainExchangeIsASpanWithOneBeneathIt() throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.start().onConnection(c -> c.answerEvery(r -> Responses.ok("hi")));
                Lychgate gateway = Lychgate.start(config("", at(origin.address())))) {
            try (RawClient client = client(gateway)) {
                client.send(get(
                        "traceparent: 00-" + TRACE + "-" + PARENT + "-01\r\n",
                        "tracestate: v=1\r\n",
                        "X-Forwarded-For: 6.6.6.6, 192.0.2.7\r\n"));
                assertThat(client.readResponse().status()).isEqualTo(200);
            }
            gateway.drain(Duration.ofSeconds(5));

            Span server = server();
            assertThat(server.trace()).isEqualTo(TRACE);
            assertThat(server.parent()).isEqualTo(PARENT);
            assertThat(server.state()).isEqualTo("v=1");
            assertThat(server.name()).isEqualTo("GET api");
            assertThat(server.status()).isZero();
            assertThat(server.attributes())
                    .containsEntry("http.request.method", "GET")
                    .containsEntry("url.path", "/x")
                    .containsEntry("url.scheme", "http")
                    .containsEntry("server.address", "a.example")
                    .containsEntry("client.address", "192.0.2.7")
                    .containsEntry("network.protocol.version", "1.1")
                    .containsEntry("http.response.status_code", 200L)
                    .containsEntry("http.response.body.size", 2L)
                    .containsEntry("lychgate.route", "api")
                    .containsEntry("lychgate.generation", 1L);
            assertThat(attempts()).singleElement().satisfies(attempt -> {
                assertThat(attempt.attributes())
                        .containsEntry("server.address", "127.0.0.1")
                        .containsEntry("server.port", (long) origin.port())
                        .containsEntry("http.response.status_code", 200L)
                        .containsEntry("lychgate.upstream", "api")
                        .containsEntry("lychgate.attempt", "first")
                        .doesNotContainKey("http.request.resend_count");
                assertThat(attempt.events())
                        .extracting(SpanReader.Event::name)
                        .containsExactly("connection", "response head");
                assertThat(attempt.events().get(0).attributes())
                        .containsEntry("lychgate.connection.reused", false)
                        .containsKey("lychgate.connection.connect_ms");
                assertThat(heardBy(origin)).containsExactly("00-" + TRACE + "-" + attempt.id() + "-01");
            });
            byte[] request = collector
                    .findAll(postRequestedFor(urlEqualTo("/v1/traces")))
                    .get(0)
                    .getBody();
            assertThat(SpanReader.resource(request))
                    .containsEntry("service.name", "front")
                    .containsKeys("service.version", "service.instance.id", "host.name");
            collector.verify(postRequestedFor(urlEqualTo("/v1/traces"))
                    .withHeader("x-key", equalTo("very secret"))
                    .withHeader("content-type", equalTo("application/x-protobuf")));
        }
    }

    private record Calls() implements InboundFilter, AsyncFilter {
        @Override
        public CompletionStage<? extends FilterOutcome> filter(FilterExchange exchange) {
            FilterCall call = exchange.call("api").post("/check").query("token", "secret");
            return call.send().thenCombine(call.send(), (one, other) -> exchange.respond(one.getStatus()));
        }
    }

    @Test
    void aCallOutIsASpanWithItsAttemptsBeneathIt() throws Exception {
        try (ScriptedOrigin origin =
                        ScriptedOrigin.start().onConnection(c -> c.answerEvery(r -> Responses.of(403, "no")));
                Lychgate gateway = Lychgate.start(config("", at(origin.address())), FilterSet.of(new Calls()))) {
            try (RawClient client = client(gateway)) {
                client.send(get()).readResponse();
            }
            gateway.drain(Duration.ofSeconds(5));

            Span server = server();
            List<Span> calls = spans().stream()
                    .filter(span -> span.parent().equals(server.id()))
                    .toList();
            assertThat(calls).hasSize(2).allSatisfy(call -> {
                assertThat(call.kind()).isEqualTo(3);
                assertThat(call.trace()).isEqualTo(server.trace());
                assertThat(call.name()).isEqualTo("POST api");
                assertThat(call.start()).isBetween(server.start(), server.end());
                assertThat(call.end()).isBetween(call.start(), server.end());
                assertThat(call.attributes())
                        .containsEntry("http.request.method", "POST")
                        .containsEntry("url.path", "/check")
                        .containsEntry("http.response.status_code", 403L)
                        .containsEntry("error.type", "403")
                        .containsEntry("lychgate.upstream", "api");
                assertThat(spans())
                        .filteredOn(span -> span.parent().equals(call.id()))
                        .singleElement()
                        .satisfies(attempt -> assertThat(heardBy(origin))
                                .contains("00-" + server.trace() + "-" + attempt.id() + "-01"));
            });
            assertThat(spans()).hasSize(5);
            assertThat(RecordedJson.line(gateway.recent().all().get(0)))
                    .contains(
                            "\"calls\":[{\"upstream\":\"api\",\"method\":\"POST\",\"path\":\"/check\",\"at\":",
                            "\"status\":403,\"span\":\"" + calls.get(0).id() + "\",\"attempts\":[{")
                    .doesNotContain("secret");
        }
    }

    @Test
    void hostAndPortOfTheOriginAreSeparateAttributes() throws Exception {
        try (Lychgate gateway = Lychgate.start(config("", "\"http://127.0.0.1:1\""), FilterSet.of(new Refuses()))) {
            try (RawClient client = client(gateway)) {
                client.send("GET / HTTP/1.1\r\nHost: a.example:8443\r\n\r\n").readResponse();
                client.send("GET / HTTP/1.1\r\nHost: [::1]:8080\r\n\r\n").readResponse();
                client.send("GET / HTTP/1.1\r\nHost: [::1]\r\n\r\n").readResponse();
            }
            gateway.drain(Duration.ofSeconds(5));

            assertThat(spans())
                    .extracting(span -> span.attribute("server.address") + " "
                            + span.attributes().get("server.port"))
                    .containsExactly("a.example 8443", "::1 8080", "::1 null");
        }
    }

    private static List<String> heardBy(ScriptedOrigin origin) {
        return origin.requests().stream()
                .flatMap(request -> request.values("traceparent").stream())
                .toList();
    }

    @Test
    void aRetriedExchangeHasASpanForEachAttempt() throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.start()
                        .onConnection(c -> c.answerEvery(
                                (RawMessage r) -> c.number() == 1 ? Responses.of(503, "no") : Responses.ok("yes")));
                Lychgate gateway = Lychgate.start(config(
                        ", retry: { attempts: 2, on: [\"503\"], backoff: { base: 1ms, max: 2ms } }",
                        at(origin.address())))) {
            try (RawClient client = client(gateway)) {
                client.send(get());
                client.readResponse();
            }
            gateway.drain(Duration.ofSeconds(5));

            List<Span> attempts = attempts();
            assertThat(attempts).hasSize(2);
            Span first = attempts.get(0);
            Span second = attempts.get(1);
            assertThat(first.attribute("http.response.status_code")).isEqualTo(503L);
            assertThat(first.attribute("error.type")).isEqualTo("503");
            assertThat(first.status()).isEqualTo(2);
            assertThat(second.attribute("lychgate.attempt")).isEqualTo("retry");
            assertThat(second.attribute("http.request.resend_count")).isEqualTo(1L);
            assertThat(second.start()).isGreaterThanOrEqualTo(first.end());
            assertThat(heardBy(origin))
                    .containsExactly(
                            "00-" + first.trace() + "-" + first.id() + "-01",
                            "00-" + first.trace() + "-" + second.id() + "-01");
        }
    }

    @Test
    void aHedgedExchangeHasASpanForEachAttempt() throws Exception {
        Gate never = new Gate();
        try (ScriptedOrigin slow = ScriptedOrigin.start().onConnection(c -> {
                    c.readRequest();
                    c.stallUntil(never);
                });
                ScriptedOrigin quick =
                        ScriptedOrigin.start().onConnection(c -> c.answerEvery(r -> Responses.ok("quick")));
                Lychgate gateway = Lychgate.start(config(
                        ", retry: { attempts: 2, hedge: { delay: 1s } }", at(slow.address()), at(quick.address())))) {
            // Round robin starts anywhere: at least one of two exchanges uses the slow origin first.
            try (RawClient client = client(gateway)) {
                client.send(get()).readResponse();
                client.send(get()).readResponse();
            }
            gateway.drain(Duration.ofSeconds(5));
            never.open();

            // The quick origin may be slow, too, and then the hedge at the other origin gets no response.
            List<Span> hedges = spans().stream()
                    .filter(span -> "hedge".equals(span.attributes().get("lychgate.attempt")))
                    .filter(span ->
                            Long.valueOf(quick.port()).equals(span.attributes().get("server.port")))
                    .toList();
            assertThat(hedges).isNotEmpty().allSatisfy(hedge -> {
                assertThat(hedge.attribute("http.response.status_code")).isEqualTo(200L);
                Span first = spans().stream()
                        .filter(span -> span.parent().equals(hedge.parent())
                                && !span.id().equals(hedge.id()))
                        .findFirst()
                        .orElseThrow();
                assertThat(first.attribute("lychgate.attempt")).isEqualTo("first");
                assertThat(first.attributes()).doesNotContainKeys("http.response.status_code", "error.type");
                assertThat(hedge.start()).as("during the first").isBetween(first.start(), first.end());
            });
        }
    }

    @Test
    void aFailedExchangeHasItsError() throws Exception {
        try (RefusingPort dead = new RefusingPort();
                Lychgate gateway = Lychgate.start(config("", at(dead.address())))) {
            try (RawClient client = client(gateway)) {
                assertThat(client.send(get()).readResponse().status()).isEqualTo(502);
            }
            gateway.drain(Duration.ofSeconds(5));

            Span server = server();
            assertThat(server.status()).isEqualTo(2);
            assertThat(server.attribute("error.type")).isEqualTo("connect-refused");
            assertThat(attempts()).singleElement().satisfies(attempt -> {
                assertThat(attempt.status()).isEqualTo(2);
                assertThat(attempt.attribute("error.type")).isEqualTo("connect-refused");
                assertThat(attempt.events()).isEmpty();
                assertThat(attempt.id()).isNotEqualTo("0000000000000000");
            });
        }
    }

    @Test
    void aFaultOfTheClientIsNoErrorOfTheServerSpan() throws Exception {
        try (ScriptedOrigin origin =
                        ScriptedOrigin.start().onConnection(c -> c.answerEvery(r -> Responses.of(404, "none")));
                Lychgate gateway = Lychgate.start(config("", at(origin.address())))) {
            try (RawClient client = client(gateway)) {
                client.send(get()).readResponse();
            }
            gateway.drain(Duration.ofSeconds(5));
            assertThat(server().status()).isZero();
            assertThat(attempts()).singleElement().extracting(Span::status).isEqualTo(2);
        }
    }

    @Test
    void aWebSocketIsASpanFromItsHandshakeToItsEnd() throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.start().onConnection(WebSockets::echo);
                Lychgate gateway = Lychgate.start(config(", websocket: true", at(origin.address())))) {
            try (RawClient client = client(gateway)) {
                assertThat(client.send(WebSockets.handshake("/ws")).readHead().status())
                        .isEqualTo(101);
                client.send(WebSockets.masked(WebSockets.TEXT, "hello"));
                client.readBytes(WebSockets.plain(WebSockets.TEXT, "hello").length);
            }
            origin.awaitOpenConnections(0);
            gateway.drain(Duration.ofSeconds(5));

            Span server = server();
            assertThat(server.attribute("http.response.status_code")).isEqualTo(101L);
            assertThat(server.attribute("lychgate.websocket_end")).isEqualTo("client-gone");
            assertThat(attempts()).singleElement().satisfies(attempt -> {
                assertThat(attempt.attribute("http.response.status_code")).isEqualTo(101L);
                assertThat(heardBy(origin)).containsExactly("00-" + server.trace() + "-" + attempt.id() + "-01");
            });
        }
    }

    /** Sends the trace of a filter to the client. */
    private static final class TellsTheTrace implements SyncFilter {
        @Override
        public String name() {
            return "tells-the-trace";
        }

        @Override
        public FilterPhase phase() {
            return FilterPhase.INBOUND;
        }

        @Override
        public FilterOutcome filter(FilterExchange exchange) {
            return exchange.respond(200, exchange.getTraceId() + " " + exchange.getTraceparent());
        }
    }

    @Test
    void aFilterMayReadAndPropagateTheTrace() throws Exception {
        try (Lychgate gateway =
                Lychgate.start(config("", "\"http://127.0.0.1:1\""), FilterSet.of(new TellsTheTrace()))) {
            String body;
            try (RawClient client = client(gateway)) {
                body = client.send(get("traceparent: 00-" + TRACE + "-" + PARENT + "-01\r\n"))
                        .readResponse()
                        .body();
            }
            gateway.drain(Duration.ofSeconds(5));

            assertThat(body).isEqualTo(TRACE + " 00-" + TRACE + "-" + server().id() + "-01");
        }
    }

    @Test
    void aFilterHasNoTraceWithoutTracing() throws Exception {
        String yaml = """
                listeners: [{ name: main, address: "127.0.0.1:0" }]
                access-log: { format: off }
                """;
        GatewayConfig config =
                new ConfigReader(name -> null).read("test.yml", yaml).config();
        try (Lychgate gateway = Lychgate.start(config, FilterSet.of(new TellsTheTrace()));
                RawClient client = client(gateway)) {
            assertThat(client.send(get("traceparent: 00-" + TRACE + "-" + PARENT + "-01\r\n"))
                            .readResponse()
                            .body())
                    .isEqualTo("null null");
        }
    }

    private static final class Refuses implements SyncFilter {
        @Override
        public String name() {
            return "refuses";
        }

        @Override
        public FilterPhase phase() {
            return FilterPhase.INBOUND;
        }

        @Override
        public FilterOutcome filter(FilterExchange exchange) {
            return exchange.respond(403, "no");
        }
    }

    @Test
    void anExchangeWithAResponseOfAFilterHasNoAttempt() throws Exception {
        try (Lychgate gateway = Lychgate.start(config("", "\"http://127.0.0.1:1\""), FilterSet.of(new Refuses()))) {
            try (RawClient client = client(gateway)) {
                assertThat(client.send(get()).readResponse().status()).isEqualTo(403);
            }
            gateway.drain(Duration.ofSeconds(5));

            assertThat(attempts()).isEmpty();
            assertThat(server().events()).singleElement().satisfies(event -> {
                assertThat(event.name()).isEqualTo("filter refuses");
                assertThat(event.attributes())
                        .containsEntry("lychgate.filter.stage", "global")
                        .containsEntry("lychgate.filter.outcome", "respond 403");
            });
        }
    }

    @Test
    void aTraceThatTheClientDoesNotRecordIsPropagatedAndNotExported() throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.start().onConnection(c -> c.answerEvery(r -> Responses.ok("hi")));
                Lychgate gateway = Lychgate.start(config("", at(origin.address())))) {
            try (RawClient client = client(gateway)) {
                client.send(get("traceparent: 00-" + TRACE + "-" + PARENT + "-00\r\n"))
                        .readResponse();
            }
            gateway.drain(Duration.ofSeconds(5));
            assertThat(spans()).isEmpty();
            assertThat(heardBy(origin))
                    .singleElement()
                    .asString()
                    .startsWith("00-" + TRACE)
                    .endsWith("-00");
        }
    }

    @Test
    void aFailingCollectorDoesNotAffectRequests() throws Exception {
        collector.stubFor(post("/v1/traces").willReturn(aResponse().withStatus(500)));
        try (ScriptedOrigin origin = ScriptedOrigin.start().onConnection(c -> c.answerEvery(r -> Responses.ok("hi")));
                Lychgate gateway = Lychgate.start(config("", at(origin.address())))) {
            try (RawClient client = client(gateway)) {
                for (int i = 0; i < 200; i++) {
                    assertThat(client.send(get()).readResponse().status()).isEqualTo(200);
                }
            }
            eventually(() -> collector.verify(postRequestedFor(urlEqualTo("/v1/traces"))));
            collector.stubFor(post("/v1/traces").willReturn(aResponse().withStatus(200)));
            eventually(() -> assertThat(gateway.metrics()
                            .registry()
                            .get("lychgate.spans.sent")
                            .functionCounter()
                            .count())
                    .isEqualTo(400));
            assertThat(gateway.metrics()
                            .registry()
                            .get("lychgate.spans.dropped")
                            .functionCounter()
                            .count())
                    .isZero();
        }
    }
}
