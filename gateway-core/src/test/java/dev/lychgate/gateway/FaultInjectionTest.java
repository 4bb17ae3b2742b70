package dev.lychgate.gateway;

import static dev.lychgate.gateway.Problems.assertProblem;
import static dev.lychgate.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.chain.FilterSet;
import dev.lychgate.config.BreakerConfig;
import dev.lychgate.config.ByteSize;
import dev.lychgate.config.DelayRange;
import dev.lychgate.config.EndpointConfig;
import dev.lychgate.config.FaultConfig;
import dev.lychgate.config.FaultEffects;
import dev.lychgate.config.FaultScope;
import dev.lychgate.config.FaultsConfig;
import dev.lychgate.config.GatewayConfig;
import dev.lychgate.config.MatchConfig;
import dev.lychgate.config.Percent;
import dev.lychgate.config.RetryBudgetConfig;
import dev.lychgate.config.SampleRate;
import dev.lychgate.config.Stickiness;
import dev.lychgate.config.UpstreamConfig;
import dev.lychgate.config.UpstreamResilience;
import dev.lychgate.config.WebSocketConfig;
import dev.lychgate.error.ErrorKind;
import dev.lychgate.generation.FaultBoard;
import dev.lychgate.generation.FaultRule;
import dev.lychgate.loop.MemoryBudget;
import dev.lychgate.testing.ConnectionScript;
import dev.lychgate.testing.Ending;
import dev.lychgate.testing.Http2Client;
import dev.lychgate.testing.Http2Response;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.RawMessage;
import dev.lychgate.testing.Responses;
import dev.lychgate.testing.ScriptedOrigin;
import dev.lychgate.testing.WebSockets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Injected faults on real sockets: their effects, and exchanges that they do not affect. */
@Tag("slow")
class FaultInjectionTest {
    private static final FaultEffects ABORT = abort(503, null);
    private static final FaultEffects RESET = new FaultEffects(null, null, null, true, null);
    private static final FaultEffects BRIEF = delay("20ms-30ms");
    private static final FaultEffects ENDLESS = delay("1h");
    private static final Duration HOUR = Duration.ofHours(1);

    private static FaultEffects abort(int status, @Nullable Integer grpcStatus) {
        return new FaultEffects(null, status, grpcStatus, false, null);
    }

    private static FaultEffects delay(String time) {
        return new FaultEffects(DelayRange.parse(time), null, null, false, null);
    }

    private static FaultEffects bandwidth(String size) {
        return new FaultEffects(null, null, null, false, ByteSize.parse(size));
    }

    private static FaultConfig fault(FaultEffects effects, MatchConfig match) {
        FaultScope scope = new FaultScope(match, List.of(), SampleRate.ALL, new Stickiness.Request());
        return new FaultConfig("f", scope, effects, Instant.now().plus(HOUR));
    }

    private static GatewayConfig config(Setup setup, FaultConfig... rules) {
        GatewayConfig config = setup.config();
        return config.withLifecycle(config.lifecycle().with(new FaultsConfig(true, List.of(rules))));
    }

    private static Running start(Setup setup, FaultEffects effects) {
        return Running.start(config(setup, fault(effects, MatchConfig.ANY)), FilterSet.EMPTY);
    }

    private static FaultBoard board(Running gateway) {
        return gateway.gateway().generation().faultBoard();
    }

    /** Injects a fault as an operator does. */
    private static FaultRule inject(Running gateway, String name, FaultEffects effects, Duration time) {
        FaultConfig config = new FaultConfig(
                name,
                fault(effects, MatchConfig.ANY).scope(),
                effects,
                Instant.now().plus(time));
        FaultRule rule = FaultRule.compile("fault", config, FaultRule.Source.OPERATOR);
        assertThat(board(gateway).inject(rule)).isTrue();
        return rule;
    }

    private static ScriptedOrigin origin() {
        return ScriptedOrigin.answering((r, c) -> c.send(Responses.ok("origin")));
    }

    @Test
    void anAbortedRequestIsNotForwarded() throws Exception {
        try (ScriptedOrigin origin = origin();
                Running gateway = start(Setup.to(origin.address()), abort(429, null));
                RawClient client = gateway.client()) {
            RawMessage aborted = client.get("/");
            assertThat(aborted.status()).isEqualTo(429);
            assertThat(aborted.body()).contains("urn:lychgate:problem:fault-injected", "\"status\":429");
            // The connection serves the next request.
            assertThat(client.get("/").status()).isEqualTo(429);

            Outcome outcome = gateway.nextOutcome();
            assertThat(outcome.error()).isEqualTo(ErrorKind.FAULT_INJECTED);
            assertThat(outcome.status()).isEqualTo(429);
            assertThat(outcome.attempts()).isZero();
            assertThat(origin.connectionsAccepted()).isZero();
        }
    }

    @Test
    void anAbortDoesNotOpenTheBreaker() throws Exception {
        BreakerConfig breaker =
                new BreakerConfig(new Percent(50), Duration.ofSeconds(10), 10, Duration.ofSeconds(30), false);
        UpstreamResilience guarded = new UpstreamResilience(RetryBudgetConfig.DEFAULT, breaker, null, null);
        try (ScriptedOrigin origin = origin()) {
            Setup setup = new Setup()
                    .upstream(UpstreamConfig.of("origin", new EndpointConfig("127.0.0.1", origin.port()))
                            .withResilience(guarded));
            MatchConfig marked =
                    new MatchConfig(List.of(), null, List.of(), Map.of("x-fault", "yes"), Map.of(), List.of(), null);
            try (Running gateway = Running.start(config(setup, fault(ABORT, marked)), FilterSet.EMPTY);
                    RawClient client = gateway.client()) {
                for (int i = 0; i < 50; i++) {
                    RawMessage aborted = client.send("GET / HTTP/1.1\r\nHost: a\r\nX-Fault: yes\r\n\r\n")
                            .readResponse();
                    assertProblem(aborted, 503, ErrorKind.FAULT_INJECTED);
                }
                assertThat(client.get("/").status()).isEqualTo(200);
            }
        }
    }

    @Test
    void aResetEndsTheConnectionOfAnHttp1Client() throws Exception {
        try (ScriptedOrigin origin = origin();
                Running gateway = start(Setup.to(origin.address()), RESET);
                RawClient client = gateway.client()) {
            client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
            assertThat(client.awaitEnd()).isEqualTo(Ending.RESET);
            assertThat(gateway.nextOutcome().error()).isEqualTo(ErrorKind.FAULT_INJECTED);
            assertThat(origin.connectionsAccepted()).isZero();
        }
    }

    @Test
    void aResetEndsOnlyTheStreamOfAnHttp2Client() throws Exception {
        MatchConfig bad = MatchConfig.path("/bad");
        try (ScriptedOrigin origin = origin();
                Running gateway =
                        Running.start(config(Setup.to(origin.address()), fault(RESET, bad)), FilterSet.EMPTY);
                Http2Client client = gateway.http2()) {
            client.get(1, "/bad").awaitReset(1);
            assertThat(client.get(3, "/").response(3).status()).isEqualTo(200);
        }
    }

    @Test
    void grpcClientsGetAGrpcStatus() throws Exception {
        try (ScriptedOrigin origin = origin()) {
            Setup setup = Setup.to(origin.address());
            try (Running gateway = start(setup, ABORT);
                    Http2Client client = gateway.http2()) {
                Http2Response response = client.post(1, "/s/M", "content-type", "application/grpc")
                        .response(1);
                assertThat(response.status()).isEqualTo(200);
                assertThat(response.value("grpc-status")).contains("14");
            }
            try (Running gateway = start(setup, abort(503, 8));
                    Http2Client client = gateway.http2()) {
                Http2Response response = client.post(1, "/s/M", "content-type", "application/grpc")
                        .response(1);
                assertThat(response.value("grpc-status")).contains("8");
            }
        }
    }

    @Test
    void aDelayedRequestIsForwardedWithItsBody() throws Exception {
        try (ScriptedOrigin origin = origin();
                Running gateway = start(Setup.to(origin.address()), BRIEF);
                RawClient client = gateway.client();
                Http2Client second = gateway.http2()) {
            RawMessage response = client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nbo")
                    .send("dy")
                    .readResponse();
            assertThat(response.body()).isEqualTo("origin");
            assertThat(origin.requests().get(0).body()).isEqualTo("body");
            assertThat(second.get(1, "/").response(1).status()).isEqualTo(200);
            assertThat(gateway.nextOutcome().error()).isNull();
        }
    }

    @Test
    void aClientThatLeavesEndsTheDelay() throws Exception {
        try (ScriptedOrigin origin = origin();
                Running gateway = start(Setup.to(origin.address()), ENDLESS)) {
            try (RawClient client = gateway.client()) {
                client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
            }
            assertThat(gateway.nextOutcome().error()).isEqualTo(ErrorKind.CLIENT_GONE);
            try (Http2Client other = gateway.http2()) {
                other.get(1, "/").reset(1, 8).sync();
                assertThat(gateway.nextOutcome().error()).isEqualTo(ErrorKind.CLIENT_GONE);
            }
            assertThat(origin.connectionsAccepted()).isZero();
        }
    }

    @Test
    void aDrainEndsTheDelayAndTheRequestIsServed() throws Exception {
        try (ScriptedOrigin origin = origin();
                Running gateway = start(Setup.to(origin.address()), ENDLESS);
                RawClient client = gateway.client().send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
                Http2Client second = gateway.http2()) {
            // The only loop has read the first request before the requests of a later connection.
            second.get(1, "/").sync();
            CompletableFuture<Integer> cut = CompletableFuture.supplyAsync(() -> gateway.drain(Duration.ofSeconds(10)));
            assertThat(client.readResponse().body()).isEqualTo("origin");
            assertThat(second.response(1).status()).isEqualTo(200);
            client.expectClosed();
            assertThat(cut.get(10, TimeUnit.SECONDS)).isZero();
        }
    }

    @Test
    void aDelayedRequestContinuesInItsGenerationWhenAReloadRemovesTheFault() throws Exception {
        try (ScriptedOrigin origin = origin()) {
            Setup setup = Setup.to(origin.address());
            FaultConfig fault = fault(ENDLESS, MatchConfig.ANY);
            try (Running gateway = Running.start(config(setup, fault), FilterSet.EMPTY);
                    Http2Client client = gateway.http2()) {
                client.get(1, "/").sync();
                gateway.gateway().apply(config(setup, fault), FilterSet.EMPTY);
                client.get(3, "/").sync();
                assertThat(gateway.hasMoreOutcomes()).isFalse();

                gateway.gateway().apply(config(setup), FilterSet.EMPTY);

                assertThat(client.response(1).status()).isEqualTo(200);
                assertThat(client.response(3).status()).isEqualTo(200);
                assertThat(List.of(
                                gateway.nextOutcome().generation(),
                                gateway.nextOutcome().generation()))
                        .containsExactlyInAnyOrder(1L, 2L);
                assertThat(client.get(5, "/").response(5).status()).isEqualTo(200);
            }
        }
    }

    @Test
    void aFaultOfAnOperatorOutlivesGenerationsButNotItsPermission() throws Exception {
        try (ScriptedOrigin origin = origin()) {
            Setup setup = Setup.to(origin.address());
            try (Running gateway = Running.start(config(setup), FilterSet.EMPTY);
                    RawClient client = gateway.client()) {
                assertThat(client.get("/").status()).isEqualTo(200);
                inject(gateway, "f", ABORT, HOUR);
                assertThat(client.get("/").status()).isEqualTo(503);

                gateway.gateway().apply(config(setup), FilterSet.EMPTY);
                assertThat(client.get("/").status()).isEqualTo(503);

                gateway.gateway().apply(setup.config(), FilterSet.EMPTY);
                assertThat(client.get("/").status()).isEqualTo(200);
                gateway.gateway().apply(config(setup), FilterSet.EMPTY);
                assertThat(client.get("/").status()).isEqualTo(200);
            }
        }
    }

    @Test
    void theEndOfAFaultReleasesItsRequestsOnAnIdleGateway() throws Exception {
        FaultEffects lasting = new FaultEffects(DelayRange.parse("1h"), 503, null, false, null);
        String body = Http2Client.text(100_000);
        try (ScriptedOrigin origin = ScriptedOrigin.answering((r, c) -> c.send(Responses.ok(body)));
                Running gateway = Running.start(config(Setup.to(origin.address())), FilterSet.EMPTY);
                Http2Client client = gateway.http2()) {
            FaultRule slow = inject(gateway, "slow", bandwidth("1B"), HOUR);
            client.get(1, "/").head(1);
            FaultRule stopped = inject(gateway, "stopped", ENDLESS, HOUR);
            client.get(3, "/").sync();

            assertThat(board(gateway).stop(stopped)).isTrue();
            // The other fault still limits its body.
            assertThat(client.head(3).status()).isEqualTo(200);
            assertThat(board(gateway).stop(slow)).isTrue();
            assertThat(client.response(1).body()).isEqualTo(body);
            assertThat(client.response(3).body()).isEqualTo(body);

            inject(gateway, "brief", lasting, Duration.ofMillis(300));
            // An expired fault no longer aborts the requests that it has delayed.
            assertThat(client.get(5, "/").response(5).status()).isEqualTo(200);
            eventually(() -> assertThat(board(gateway).injected()).isEmpty());
        }
    }

    @Test
    void delaysOfOtherFaultsRemainWhenOneEnds() throws Exception {
        try (ScriptedOrigin origin = origin();
                Running gateway = Running.start(config(Setup.to(origin.address())), FilterSet.EMPTY);
                Http2Client client = gateway.http2()) {
            FaultRule first = inject(gateway, "first", ENDLESS, HOUR);
            FaultRule second = inject(gateway, "second", ENDLESS, HOUR);
            client.get(1, "/").sync();

            board(gateway).stop(first);
            client.sync();
            assertThat(client.stream(1).isEnded()).isFalse();
            board(gateway).stop(second);
            assertThat(client.response(1).status()).isEqualTo(200);
        }
    }

    @Test
    void theBodyOfADelayedRequestFollowsOnAConnectionOfThePool() throws Exception {
        try (ScriptedOrigin origin = origin();
                Running gateway = start(Setup.to(origin.address()), BRIEF);
                RawClient client = gateway.client()) {
            for (int i = 0; i < 3; i++) {
                RawMessage response = client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\n")
                        .send("x".repeat(100_000))
                        .readResponse();
                assertThat(response.status()).isEqualTo(200);
            }
            assertThat(origin.connectionsAccepted()).isEqualTo(1);
        }
    }

    @Test
    void anAbortAfterADelayLeavesTheConnectionUsable() throws Exception {
        FaultEffects both = new FaultEffects(DelayRange.parse("20ms"), 503, null, false, null);
        try (ScriptedOrigin origin = origin();
                Running gateway = start(Setup.to(origin.address()), both);
                RawClient client = gateway.client()) {
            for (int i = 0; i < 2; i++) {
                RawMessage aborted = client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\n")
                        .send("x".repeat(100_000))
                        .readResponse();
                assertProblem(aborted, 503, ErrorKind.FAULT_INJECTED);
            }
            assertThat(origin.connectionsAccepted()).isZero();
        }
    }

    @Test
    void tenThousandDelayedRequestsCountAgainstTheMemoryBudgetAndEndWithTheFault() throws Exception {
        int connections = 100;
        int streams = 100;
        try (ScriptedOrigin origin = origin();
                // Without its delay, each request is aborted, so that the origin is not part of the test.
                Running gateway = start(Setup.to(origin.address()), ABORT)) {
            FaultRule delay = inject(gateway, "delay", ENDLESS, HOUR);
            long before = MemoryBudget.OF_PROCESS.held();
            List<Http2Client> clients = new ArrayList<>();
            try {
                for (int i = 0; i < connections; i++) {
                    Http2Client client = gateway.http2();
                    clients.add(client);
                    for (int stream = 0; stream < streams; stream++) {
                        client.get(2 * stream + 1, "/");
                    }
                    client.sync();
                }
                assertThat(MemoryBudget.OF_PROCESS.held() - before).isGreaterThan(4096L * connections * streams);
                assertThat(gateway.hasMoreOutcomes()).isFalse();

                board(gateway).stop(delay);

                for (Http2Client client : clients) {
                    for (int stream = 0; stream < streams; stream++) {
                        assertThat(client.response(2 * stream + 1).status()).isEqualTo(503);
                    }
                }
                eventually(() -> assertThat(MemoryBudget.OF_PROCESS.held()).isLessThan(before + (1 << 20)));
            } finally {
                clients.forEach(Http2Client::close);
            }
        }
    }

    @Test
    @SuppressWarnings("try") // the resource is the scarcity itself
    void requestsBeyondTheMemoryBudgetAreNotDelayed() throws Exception {
        try (ScriptedOrigin origin = origin();
                Running gateway = start(Setup.to(origin.address()), ENDLESS);
                Http2Client client = gateway.http2()) {
            client.get(1, "/").sync();
            long refused = MemoryBudget.OF_PROCESS.refused();
            try (Scarcity scarcity = Scarcity.leaving(0)) {
                assertThat(client.get(3, "/").response(3).status()).isEqualTo(200);
            }
            assertThat(MemoryBudget.OF_PROCESS.refused()).isGreaterThan(refused);
            assertThat(client.stream(1).isEnded()).isFalse();
        }
    }

    @Test
    @SuppressWarnings("try") // the resource is the scarcity itself
    void memoryThatOtherMessagesNeedEndsTheDelayAndTheLimitOfSpeed() throws Exception {
        String body = Http2Client.text(200_000);
        try (ScriptedOrigin origin = ScriptedOrigin.answering(
                        (r, c) -> c.send(Responses.ok(r.target().equals("/small") ? "small" : body)));
                Running gateway = Running.start(config(Setup.to(origin.address())), FilterSet.EMPTY);
                Http2Client client = gateway.http2()) {
            inject(gateway, "slow", bandwidth("1B"), HOUR);
            client.get(1, "/").head(1);
            inject(gateway, "delay", ENDLESS, HOUR);
            client.get(3, "/").sync();
            long reclaimed = MemoryBudget.OF_PROCESS.reclaimed();
            AtomicInteger stream = new AtomicInteger(3);
            try (Scarcity scarcity = Scarcity.leaving(0)) {
                // Requests that the budget refuses reclaim memory that is held for a while.
                eventually(() -> {
                    assertThat(client.get(stream.addAndGet(2), "/small")
                                    .response(stream.get())
                                    .status())
                            .isEqualTo(200);
                    assertThat(client.stream(1).isEnded()).isTrue();
                    assertThat(client.stream(3).isEnded()).isTrue();
                });
            }
            assertThat(client.response(1).body()).isEqualTo(body);
            assertThat(client.response(3).body()).isEqualTo(body);
            assertThat(MemoryBudget.OF_PROCESS.reclaimed()).isGreaterThanOrEqualTo(reclaimed + 2);
        }
    }

    @Test
    void theHeldPartOfASlowBodyCountsAgainstTheMemoryBudget() throws Exception {
        long before = MemoryBudget.OF_PROCESS.held();
        String body = Http2Client.text(30_000);
        try (ScriptedOrigin origin = ScriptedOrigin.answering((r, c) -> c.send(Responses.ok(body)));
                Running gateway = start(Setup.to(origin.address()), bandwidth("1B"));
                RawClient client = gateway.client()) {
            client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
            assertThat(client.readHead().status()).isEqualTo(200);
            eventually(() -> assertThat(MemoryBudget.OF_PROCESS.held()).isGreaterThanOrEqualTo(before + 2_000));
            client.reset();
            assertThat(gateway.nextOutcome().error()).isEqualTo(ErrorKind.CLIENT_GONE);
            eventually(() -> assertThat(MemoryBudget.OF_PROCESS.held()).isLessThanOrEqualTo(before));
        }
    }

    @Test
    void aSlowBodyIsWholeAtTheEnd() throws Exception {
        String body = Http2Client.text(30_000);
        try (ScriptedOrigin origin = ScriptedOrigin.answering((r, c) ->
                        c.send(r.target().equals("/chunks") ? Responses.chunked(body, body) : Responses.ok(body)));
                Running gateway = start(Setup.to(origin.address()), bandwidth("100KiB"));
                RawClient client = gateway.client();
                Http2Client second = gateway.http2()) {
            assertThat(client.get("/").body()).isEqualTo(body);
            assertThat(client.get("/chunks").body()).isEqualTo(body + body);
            assertThat(second.get(1, "/chunks").response(1).body()).isEqualTo(body + body);
        }
    }

    @Test
    void theOriginIsReadAtTheSpeedOfTheBody() throws Exception {
        int length = 16 << 20;
        CompletableFuture<Void> sent = new CompletableFuture<>();
        ConnectionScript download = c -> {
            c.readRequest();
            c.send("HTTP/1.1 200 OK\r\nContent-Length: " + length + "\r\n\r\n");
            c.send(new byte[length]);
            sent.complete(null);
        };
        try (ScriptedOrigin origin = ScriptedOrigin.start().onConnection(download.untilThePeerLeaves());
                Running gateway = start(Setup.to(origin.address()), bandwidth("1KiB"));
                RawClient client = gateway.client()) {
            client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
            assertThat(client.readHead().status()).isEqualTo(200);
            client.readBytes(100);
            assertThat(sent).isNotDone();
            client.reset();
            Outcome outcome = gateway.nextOutcome();
            assertThat(outcome.error()).isEqualTo(ErrorKind.CLIENT_GONE);
            assertThat(outcome.responseBytes()).isLessThan(1 << 20);
        }
    }

    @Test
    void aDrainEndsTheLimitOfSpeed() throws Exception {
        String body = Http2Client.text(100_000);
        try (ScriptedOrigin origin = ScriptedOrigin.answering((r, c) -> c.send(Responses.ok(body)));
                Running gateway = start(Setup.to(origin.address()), bandwidth("100B"));
                Http2Client client = gateway.http2()) {
            client.get(1, "/").head(1);
            CompletableFuture<Integer> cut = CompletableFuture.supplyAsync(() -> gateway.drain(Duration.ofSeconds(10)));
            assertThat(client.response(1).body()).isEqualTo(body);
            assertThat(cut.get(10, TimeUnit.SECONDS)).isZero();
        }
    }

    @Test
    void faultsMeetTheHandshakeOfAWebSocketAndNotItsFrames() throws Exception {
        byte[] hello = WebSockets.masked(WebSockets.TEXT, "hello");
        try (ScriptedOrigin origin = ScriptedOrigin.start().onConnection(WebSockets::echo)) {
            Setup setup = Setup.to(origin.address()).webSocket(WebSocketConfig.DEFAULT);
            try (Running gateway = start(setup, ABORT);
                    RawClient client = gateway.client()) {
                assertProblem(client.send(WebSockets.handshake("/")).readResponse(), 503, ErrorKind.FAULT_INJECTED);
            }
            FaultEffects slow = new FaultEffects(DelayRange.parse("20ms"), null, null, false, ByteSize.parse("1B"));
            try (Running gateway = start(setup, slow);
                    RawClient client = gateway.client()) {
                client.send(WebSockets.handshake("/"));
                assertThat(client.readHead().status()).isEqualTo(101);
                client.send(hello);
                assertThat(client.readBytes(hello.length)).isEqualTo(hello);
            }
        }
    }
}
