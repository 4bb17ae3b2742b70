package dev.lychgate.server.recorder;

import static dev.lychgate.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.Lychgate;
import dev.lychgate.config.BreakerConfig;
import dev.lychgate.config.EndpointConfig;
import dev.lychgate.config.Percent;
import dev.lychgate.config.RecorderConfig;
import dev.lychgate.config.RetryBudgetConfig;
import dev.lychgate.config.UpstreamConfig;
import dev.lychgate.config.UpstreamResilience;
import dev.lychgate.exchange.state.TimelinePhase;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.RefusingPort;
import dev.lychgate.testing.Responses;
import dev.lychgate.testing.ScriptedOrigin;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Recorded exchanges: selection, retention and content. */
@Tag("slow")
class RecorderTest {
    private static final BreakerConfig BREAKER =
            new BreakerConfig(new Percent(50), Duration.ofSeconds(10), 5, Duration.ofMinutes(1), false);
    private static final String GET = "GET /x?key=secret HTTP/1.1\r\nHost: a.example\r\n\r\n";

    private static Lychgate to(InetSocketAddress origin, RecorderConfig config) {
        return Lychgate.builder()
                .listener("main", "127.0.0.1:0")
                .upstream("api", "http://127.0.0.1:" + origin.getPort())
                .route("api", "/**", "api")
                .recorder(config)
                .workers(1)
                .start();
    }

    private static RawClient client(Lychgate gateway) throws Exception {
        return RawClient.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), gateway.port("main")));
    }

    private static List<RecordedExchange> recent(Lychgate gateway, int count) throws Exception {
        eventually(() -> assertThat(gateway.recent().all()).hasSize(count));
        return gateway.recent().all();
    }

    @Test
    void aSlowExchangeHasTheDurationsOfItsPhases() throws Exception {
        RecorderConfig tenMillis = new RecorderConfig(Duration.ofMillis(10), 16, true);
        try (ScriptedOrigin origin = ScriptedOrigin.start().onConnection(c -> {
                    c.readRequest();
                    c.sendSlowly(Responses.ok("x".repeat(10)), 40, Duration.ofMillis(1));
                    c.awaitEnd();
                });
                Lychgate gateway = to(origin.address(), tenMillis);
                RawClient client = client(gateway)) {
            client.send(GET).readResponse();
            RecordedExchange slow = recent(gateway, 1).get(0);
            assertThat(slow.reason()).isEqualTo(Reason.SLOW);
            assertThat(slow.total())
                    .isGreaterThanOrEqualTo(Duration.ofMillis(10).toNanos());
            assertThat(slow.phases())
                    .containsOnlyKeys(
                            TimelinePhase.INBOUND,
                            TimelinePhase.CONNECTION,
                            TimelinePhase.CONNECT,
                            TimelinePhase.ORIGIN,
                            TimelinePhase.OUTBOUND,
                            TimelinePhase.BODY);
            assertThat(slow.phases().values().stream()
                                    .mapToLong(Long::longValue)
                                    .sum()
                            - slow.phases().getOrDefault(TimelinePhase.CONNECT, 0L))
                    .isEqualTo(slow.total());
            assertThat(slow.attempts()).singleElement().satisfies(attempt -> {
                assertThat(attempt.status()).isEqualTo(200);
                assertThat(attempt.reused()).isFalse();
                assertThat(attempt.ended()).isBetween(attempt.answered(), slow.total());
            });
            assertThat(RecordedJson.line(slow))
                    .startsWith("{\"reason\":\"slow\",\"time\":\"")
                    .contains("\"path\":\"/x\"", "\"route\":\"api\"", "\"phases\":{\"inbound\":", "\"attempts\":[{")
                    .doesNotContain("secret", "\n");
            assertThat(gateway.recent().find(slow.id())).contains(slow);
        }
    }

    @Test
    void aLongResponseBodyIsNotSlow() throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.start().onConnection(c -> {
                    c.readRequest();
                    c.send(Responses.head(200, "Content-Length: 100") + "\r\n");
                    c.sendSlowly("x".repeat(100), 20, Duration.ofMillis(100));
                    c.awaitEnd();
                });
                Lychgate gateway = to(origin.address(), new RecorderConfig(Duration.ofMillis(1500), 16, true));
                RawClient client = client(gateway)) {
            client.send(GET).readResponse();
            gateway.drain(Duration.ofSeconds(5));
            // If a thread pauses before the response head, the exchange is slow even without its body.
            assertThat(gateway.recent().all())
                    .allMatch(exchange -> exchange.total() - exchange.phases().getOrDefault(TimelinePhase.BODY, 0L)
                            >= Duration.ofMillis(1500).toNanos());
        }
    }

    @Test
    void aFastExchangeIsNotRecorded() throws Exception {
        try (ScriptedOrigin origin =
                        ScriptedOrigin.start().onConnection(c -> c.answerEvery(r -> Responses.of(404, "none")));
                Lychgate gateway = to(origin.address(), new RecorderConfig(Duration.ofMinutes(1), 16, true));
                RawClient client = client(gateway)) {
            client.send(GET).readResponse();
            client.send("GET / HTTP/1.1\r\nHost: a.example\r\nHost: b.example\r\n\r\n")
                    .readResponse();
            gateway.drain(Duration.ofSeconds(5));
            assertThat(gateway.recent().all()).isEmpty();
        }
    }

    @Test
    void failedExchangesAreRecordedUpToALimit() throws Exception {
        try (RefusingPort dead = new RefusingPort();
                Lychgate gateway = to(dead.address(), new RecorderConfig(Duration.ZERO, 3, false));
                RawClient client = client(gateway)) {
            for (int i = 0; i < 5; i++) {
                client.send("GET /" + i + " HTTP/1.1\r\nHost: a.example\r\n\r\n")
                        .readResponse();
            }
            eventually(() -> assertThat(gateway.recent().all().stream()
                            .map(RecordedExchange::request)
                            .map(request -> request == null ? "" : request.path()))
                    .containsExactly("/4", "/3", "/2"));
            RecordedExchange failed = gateway.recent().all().get(0);
            assertThat(failed.reason()).isEqualTo(Reason.FAILED);
            assertThat(failed.error())
                    .isNotNull()
                    .extracting(RecordedExchange.Fault::kind)
                    .isEqualTo("connect-refused");
            assertThat(failed.attempts()).singleElement().satisfies(attempt -> {
                assertThat(attempt.connected()).isEqualTo(-1);
                assertThat(attempt.failure()).isEqualTo("connect-refused");
            });
        }
    }

    private static Lychgate withBreaker(RefusingPort dead, int keep) {
        UpstreamConfig upstream = UpstreamConfig.of(
                        "dead", new EndpointConfig("127.0.0.1", dead.address().getPort()))
                .withResilience(new UpstreamResilience(RetryBudgetConfig.DEFAULT, BREAKER, null, null));
        return Lychgate.builder()
                .listener("main", "127.0.0.1:0")
                .upstream(upstream)
                .upstream("other", "http://127.0.0.1:" + dead.address().getPort())
                .route("dead", "/dead/**", "dead")
                .route("other", "/other", "other")
                .recorder(new RecorderConfig(Duration.ZERO, keep, false))
                .workers(1)
                .start();
    }

    private static List<String> kinds(Lychgate gateway) {
        return gateway.recent().all().stream()
                .map(each -> each.route() + " "
                        + (each.error() == null ? "none" : each.error().kind()))
                .distinct()
                .sorted()
                .toList();
    }

    @Test
    void aStormOfCircuitOpenResponsesDoesNotEvictTheFailuresThatOpenedTheCircuit() throws Exception {
        try (RefusingPort dead = new RefusingPort();
                Lychgate gateway = withBreaker(dead, 8);
                RawClient client = client(gateway)) {
            for (int i = 0; i < 200; i++) {
                client.send("GET /dead/x HTTP/1.1\r\nHost: a.example\r\n\r\n").readResponse();
            }
            gateway.drain(Duration.ofSeconds(5));
            assertThat(kinds(gateway)).containsExactly("dead circuit-open", "dead connect-refused");
            assertThat(gateway.recent().all()).hasSize(8);
        }
    }

    @Test
    void aStormOfOneKindLeavesRoomForTheRecordingOfAnother() throws Exception {
        try (RefusingPort dead = new RefusingPort();
                Lychgate gateway = withBreaker(dead, 4096);
                RawClient client = client(gateway)) {
            for (int i = 0; i < 300; i++) {
                client.send("GET /dead/x HTTP/1.1\r\nHost: a.example\r\n\r\n").readResponse();
            }
            for (int i = 0; i < 5; i++) {
                client.send("GET /other HTTP/1.1\r\nHost: a.example\r\n\r\n").readResponse();
            }
            gateway.drain(Duration.ofSeconds(5));
            assertThat(gateway.recent().all().stream().filter(each -> "other".equals(each.route())))
                    .hasSize(5);
        }
    }

    @Test
    void aStormOfFailuresIsNotRecordedCompletely() throws Exception {
        try (RefusingPort dead = new RefusingPort();
                Lychgate gateway = to(dead.address(), new RecorderConfig(Duration.ZERO, 4096, false));
                RawClient client = client(gateway)) {
            for (int i = 0; i < 1000; i++) {
                client.send(GET).readResponse();
            }
            gateway.drain(Duration.ofSeconds(5));
            double skipped = gateway.metrics()
                    .registry()
                    .get("lychgate.recorder.skipped")
                    .functionCounter()
                    .count();
            assertThat(gateway.recent().all().size() + skipped).isEqualTo(1000);
            assertThat(skipped).isPositive();
        }
    }
}
