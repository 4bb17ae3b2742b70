package dev.lychgate.gateway;

import static dev.lychgate.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lychgate.chain.FilterSet;
import dev.lychgate.config.ByteSize;
import dev.lychgate.config.CompareConfig;
import dev.lychgate.config.ConfigException;
import dev.lychgate.config.MirrorConfig;
import dev.lychgate.config.OnFailure;
import dev.lychgate.config.OverloadConfig;
import dev.lychgate.config.Percent;
import dev.lychgate.config.PoolConfig;
import dev.lychgate.config.Propagation;
import dev.lychgate.config.RetryConfig;
import dev.lychgate.config.RouteAction;
import dev.lychgate.config.RouteResilience;
import dev.lychgate.config.SampleRate;
import dev.lychgate.config.TracingConfig;
import dev.lychgate.config.UpstreamProtocol;
import dev.lychgate.config.WebSocketConfig;
import dev.lychgate.exchange.call.MirrorOutcome;
import dev.lychgate.exchange.call.MirrorPair;
import dev.lychgate.loop.MemoryBudget;
import dev.lychgate.loop.Shortage;
import dev.lychgate.testing.ConnectionScript;
import dev.lychgate.testing.Gate;
import dev.lychgate.testing.Http2Client;
import dev.lychgate.testing.Http2Origin;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.RawMessage;
import dev.lychgate.testing.RefusingPort;
import dev.lychgate.testing.Responses;
import dev.lychgate.testing.ScriptedOrigin;
import dev.lychgate.testing.TestFilter;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.util.internal.PlatformDependent;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Copies of requests to another upstream, with real sockets: their content, and that they do not affect the client. */
@Tag("slow")
class MirrorTest {
    private static final MirrorConfig MIRROR = MirrorConfig.to("shadow");
    private static final MirrorConfig POSTS = MIRROR.withMethods("GET", "POST");
    private static final MirrorConfig COMPARING =
            POSTS.withCompare(new CompareConfig(true, List.of("x-a"), CompareConfig.Json.DEFAULT, ByteSize.ofKiB(4)));

    private static ScriptedOrigin answers(String text) {
        return ScriptedOrigin.answeringWhoStays((r, c) -> c.send(Responses.ok(text)));
    }

    private static Setup setup(ScriptedOrigin primary, InetSocketAddress shadow, MirrorConfig mirror) {
        return Setup.to(primary.address()).upstream("shadow", shadow).mirror(mirror);
    }

    private static MirrorPair pair(Running gateway) throws Exception {
        Outcomes.Copy copy = gateway.nextCopy();
        return Objects.requireNonNull(copy.pair(), () -> "no pair: " + copy.outcome());
    }

    private static String text(byte[] body) {
        return new String(body, StandardCharsets.UTF_8);
    }

    private static RawMessage post(RawClient client, String body) throws Exception {
        return client.send("POST /a HTTP/1.1\r\nHost: shop\r\nContent-Length: " + body.length() + "\r\n\r\n" + body)
                .readResponse();
    }

    // ---- content of a copy

    /** Copies are the first to be dropped while memory is scarce, as it may still be after another test. */
    @BeforeEach
    void awaitMemory() throws Exception {
        eventually(() -> assertThat(Shortage.isFelt()).isFalse());
    }

    @Test
    void sendsTheRequestOfTheOriginToTheShadowAndTheResponseOfTheOriginToTheClient() throws Exception {
        try (ScriptedOrigin primary = answers("primary");
                ScriptedOrigin shadow = answers("shadow");
                Running gateway = setup(primary, shadow.address(), MIRROR)
                        .filters(FilterSet.of(TestFilter.inbound(exchange -> {
                            exchange.getRequest().getHeaders().set("x-filter", "1");
                            return exchange.proceed();
                        })))
                        .start();
                RawClient client = gateway.client()) {
            assertThat(client.get("/a/b?c=d").body()).isEqualTo("primary");
            assertThat(gateway.nextCopy().outcome()).isEqualTo(MirrorOutcome.RESPONSE);

            RawMessage original = primary.requests().get(0);
            RawMessage copy = shadow.requests().get(0);
            assertThat(copy.startLine()).isEqualTo(original.startLine()).isEqualTo("GET /a/b?c=d HTTP/1.1");
            for (String name : List.of("host", "x-request-id", "via", "x-forwarded-for", "x-filter")) {
                assertThat(copy.values(name))
                        .as(name)
                        .isEqualTo(original.values(name))
                        .isNotEmpty();
            }
            assertThat(copy.value("x-lychgate-mirror")).contains("1");
            assertThat(original.has("x-lychgate-mirror")).isFalse();
        }
    }

    @Test
    void isASpanOfItsOwnInTheSameTrace() throws Exception {
        TracingConfig tracing =
                new TracingConfig(SampleRate.ALL, TracingConfig.Accept.ALL, List.of(Propagation.W3C), "test", null);
        try (ScriptedOrigin primary = answers("primary");
                ScriptedOrigin shadow = answers("shadow");
                Running gateway = Running.start(
                        setup(primary, shadow.address(), MIRROR).config().withTracing(tracing), FilterSet.EMPTY);
                RawClient client = gateway.client()) {
            client.get("/");
            gateway.nextCopy();
            String[] original =
                    primary.requests().get(0).value("traceparent").orElseThrow().split("-", -1);
            String[] copy =
                    shadow.requests().get(0).value("traceparent").orElseThrow().split("-", -1);
            assertThat(copy[1]).isEqualTo(original[1]);
            assertThat(copy[2]).isNotEqualTo(original[2]);
        }
    }

    @Test
    void isNoExchangeOfAClient() throws Exception {
        try (ScriptedOrigin primary = answers("primary");
                ScriptedOrigin shadow = answers("shadow");
                Running gateway = setup(primary, shadow.address(), MIRROR).start();
                RawClient client = gateway.client()) {
            client.get("/");
            gateway.nextCopy();
            assertThat(gateway.nextOutcome().status()).isEqualTo(200);
            assertThat(gateway.hasMoreOutcomes()).isFalse();
        }
    }

    @Test
    void copiesBodiesOfKnownAndUnknownLength() throws Exception {
        try (ScriptedOrigin primary = answers("primary");
                ScriptedOrigin shadow = answers("shadow");
                Running gateway = setup(primary, shadow.address(), POSTS).start();
                RawClient client = gateway.client()) {
            post(client, "known");
            assertThat(gateway.nextCopy().outcome()).isEqualTo(MirrorOutcome.RESPONSE);
            client.send("POST /b HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nTrailer: x-t\r\n\r\n3\r\nunk\r\n")
                    .send("4\r\nnown\r\n0\r\nx-t: 1\r\n\r\n")
                    .readResponse();
            List<RawMessage> copies = shadow.awaitRequests(2);
            assertThat(copies.get(0).body()).isEqualTo("known");
            assertThat(copies.get(1).body()).isEqualTo("unknown");
            assertThat(copies.get(1).trailers()).hasSize(1);
        }
    }

    @Test
    void doesNotCopyOtherMethodsAndOnlyTheConfiguredShare() throws Exception {
        MirrorConfig none = POSTS.withShare(new SampleRate(0));
        try (ScriptedOrigin primary = answers("primary");
                ScriptedOrigin shadow = answers("shadow");
                Running gets = setup(primary, shadow.address(), MIRROR).start();
                Running never = setup(primary, shadow.address(), none).start();
                RawClient client = gets.client();
                RawClient other = never.client()) {
            assertThat(post(client, "x").body()).isEqualTo("primary");
            assertThat(other.get("/").body()).isEqualTo("primary");
            client.get("/last");
            assertThat(gets.nextCopy().outcome()).isEqualTo(MirrorOutcome.RESPONSE);
            assertThat(shadow.requests()).extracting(RawMessage::target).containsExactly("/last");
            assertThat(never.hasMoreCopies()).isFalse();
        }
    }

    @Test
    void copiesNoCopyAndAcceptsItsMarkFromTrustedProxiesOnly() throws Exception {
        String marked = "GET /marked HTTP/1.1\r\nHost: a\r\nX-Lychgate-Mirror: 1\r\n\r\n";
        try (ScriptedOrigin primary = answers("primary");
                ScriptedOrigin shadow = answers("shadow");
                Running trusting = setup(primary, shadow.address(), MIRROR)
                        .trusting("127.0.0.1")
                        .start();
                Running gateway = setup(primary, shadow.address(), MIRROR).start();
                RawClient proxy = trusting.client();
                RawClient client = gateway.client()) {
            proxy.send(marked).readResponse();
            proxy.get("/plain");
            trusting.nextCopy();
            assertThat(shadow.requests()).extracting(RawMessage::target).containsExactly("/plain");

            client.send(marked).readResponse();
            gateway.nextCopy();
            assertThat(primary.requests().get(0).has("x-lychgate-mirror")).isTrue();
            assertThat(primary.requests().get(2).has("x-lychgate-mirror")).isFalse();
        }
    }

    @Test
    void copiesNoCopyThatReturns() throws Exception {
        try (ScriptedOrigin primary = answers("primary");
                ScriptedOrigin shadow = answers("shadow");
                Running gateway = setup(primary, shadow.address(), MIRROR).start();
                RawClient client = gateway.client()) {
            InetSocketAddress own = gateway.gateway().address("main");
            gateway.gateway().apply(setup(primary, own, MIRROR).config());
            assertThat(client.get("/").body()).isEqualTo("primary");
            assertThat(gateway.nextCopy().outcome()).isEqualTo(MirrorOutcome.RESPONSE);
            assertThat(List.of(
                            gateway.nextOutcome().status(),
                            gateway.nextOutcome().status()))
                    .containsExactlyInAnyOrder(200, 502);
            assertThat(gateway.hasMoreCopies()).isFalse();
            assertThat(primary.requestsSeen()).isEqualTo(1);
        }
    }

    @Test
    void doesNotCopyWebSockets() throws Exception {
        try (ScriptedOrigin primary = ScriptedOrigin.answeringWhoStays((r, c) -> c.send(Responses.of(426, "no")));
                ScriptedOrigin shadow = answers("shadow");
                Running gateway = setup(primary, shadow.address(), MIRROR)
                        .webSocket(WebSocketConfig.DEFAULT)
                        .start();
                RawClient client = gateway.client()) {
            client.send("GET /ws HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
                            + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n")
                    .readResponse();
            assertThat(primary.requestsSeen()).isEqualTo(1);
            assertThat(gateway.hasMoreCopies()).isFalse();
            assertThat(shadow.requestsSeen()).isZero();
        }
    }

    @Test
    void copiesARequestOnceEvenIfItIsSentAgain() throws Exception {
        RetryConfig retry = new RetryConfig(
                3,
                List.of("503"),
                Duration.ZERO,
                RetryConfig.Backoff.DEFAULT,
                Duration.ZERO,
                ByteSize.ofKiB(64),
                true,
                null);
        try (ScriptedOrigin primary = ScriptedOrigin.answeringWhoStays((r, c) -> c.send(Responses.of(503, "busy")));
                ScriptedOrigin shadow = answers("shadow");
                Running gateway =
                        setup(primary, shadow.address(), POSTS).retrying(retry).start();
                RawClient client = gateway.client()) {
            assertThat(post(client, "once").status()).isEqualTo(503);
            assertThat(primary.requestsSeen()).isGreaterThan(1);
            assertThat(gateway.nextCopy().outcome()).isEqualTo(MirrorOutcome.RESPONSE);
            assertThat(shadow.requests()).extracting(RawMessage::body).containsExactly("once");
        }
    }

    @Test
    void copiesBetweenHttp2ClientsAndHttp2Shadows() throws Exception {
        try (Http2Origin primary = Http2Origin.start();
                Http2Origin shadow = Http2Origin.start();
                Running gateway = Setup.to(primary.address())
                        .upstream("shadow", shadow.address())
                        .pool(PoolConfig.DEFAULT.speaking(UpstreamProtocol.H2))
                        .mirror(COMPARING)
                        .start();
                Http2Client client = gateway.http2()) {
            client.post(1, "/a").data(1, "body", true);
            Http2Client first = primary.accept();
            assertThat(first.response(1).body()).isEqualTo("body");
            Http2Client second = shadow.accept();
            assertThat(second.asked(1).value("x-lychgate-mirror")).contains("1");
            assertThat(second.response(1).body()).isEqualTo("body");
            first.respond(1, 200, "primary");
            assertThat(client.response(1).body()).isEqualTo("primary");
            second.respond(1, 200, "shadow");
            MirrorPair pair = pair(gateway);
            assertThat(text(Objects.requireNonNull(pair.primary().body()))).isEqualTo("primary");
            assertThat(text(Objects.requireNonNull(pair.shadow().body()))).isEqualTo("shadow");
        }
    }

    // ---- the client never waits

    @Test
    void respondsWhileTheShadowStalls() throws Exception {
        Gate gate = new Gate();
        try (ScriptedOrigin primary = answers("primary");
                ScriptedOrigin shadow = ScriptedOrigin.answeringWhoStays((r, c) -> {
                    gate.await(Duration.ofMinutes(1));
                    c.send(Responses.ok("late"));
                });
                Running gateway = setup(primary, shadow.address(), COMPARING).start();
                RawClient client = gateway.client()) {
            for (int i = 0; i < 20; i++) {
                assertThat(client.get("/" + i).body()).isEqualTo("primary");
            }
            assertThat(gateway.hasMoreCopies()).isFalse();
            gate.open();
            for (int i = 0; i < 20; i++) {
                assertThat(gateway.nextCopy().outcome()).isEqualTo(MirrorOutcome.RESPONSE);
            }
        }
    }

    @Test
    void respondsAlthoughTheShadowIsDeadOrBreaksTheProtocol() throws Exception {
        List<ConnectionScript> faults = List.of(
                c -> {
                    c.readRequest();
                    c.reset();
                },
                c -> {
                    c.readRequest();
                    c.send("\u0000\u0001garbage\r\n\r\n");
                    c.awaitEnd();
                },
                c -> {
                    c.readRequest();
                    c.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort");
                },
                c -> {
                    c.readRequest();
                    c.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nabcdef");
                    c.awaitEnd();
                });
        for (ConnectionScript fault : faults) {
            try (ScriptedOrigin primary = answers("primary");
                    ScriptedOrigin shadow = ScriptedOrigin.start().onConnection(fault.untilThePeerLeaves());
                    Running gateway =
                            setup(primary, shadow.address(), COMPARING).start();
                    RawClient client = gateway.client()) {
                for (int i = 0; i < 5; i++) {
                    assertThat(client.get("/").body()).isEqualTo("primary");
                    assertThat(gateway.nextCopy().outcome()).isEqualTo(MirrorOutcome.FAILED);
                }
            }
        }
        try (RefusingPort dead = new RefusingPort();
                ScriptedOrigin primary = answers("primary");
                Running gateway = setup(primary, dead.address(), COMPARING).start();
                RawClient client = gateway.client()) {
            assertThat(client.get("/").body()).isEqualTo("primary");
            assertThat(gateway.nextCopy().outcome()).isEqualTo(MirrorOutcome.FAILED);
        }
    }

    @Test
    void endsAnEndlessResponseOfTheShadow() throws Exception {
        ConnectionScript endless = c -> {
            c.readRequest();
            c.send(Responses.head(200, "Transfer-Encoding: chunked") + "\r\n");
            String chunk = "1000\r\n" + "x".repeat(4096) + "\r\n";
            while (true) {
                c.send(chunk);
            }
        };
        for (MirrorConfig mirror : List.of(MIRROR, COMPARING)) {
            try (ScriptedOrigin primary = answers("primary");
                    ScriptedOrigin shadow = ScriptedOrigin.start().onConnection(endless.untilThePeerLeaves());
                    Running gateway = setup(primary, shadow.address(), mirror).start();
                    RawClient client = gateway.client()) {
                assertThat(client.get("/").body()).isEqualTo("primary");
                assertThat(gateway.nextCopy().outcome()).isEqualTo(MirrorOutcome.RESPONSE);
                assertThat(client.get("/").body()).isEqualTo("primary");
            }
        }
    }

    @Test
    void endsACopyWithoutAResponseAtItsTimeout() throws Exception {
        MirrorConfig brief = MIRROR.withTimeout(Duration.ofMillis(50));
        ConnectionScript stalls = c -> {
            c.readRequest();
            c.awaitEnd();
        };
        try (ScriptedOrigin primary = answers("primary");
                ScriptedOrigin shadow = ScriptedOrigin.start().onConnection(stalls.untilThePeerLeaves());
                Running gateway = setup(primary, shadow.address(), brief).start();
                RawClient client = gateway.client()) {
            client.get("/");
            assertThat(gateway.nextCopy().outcome()).isEqualTo(MirrorOutcome.TIMEOUT);
        }
    }

    // ---- drops

    @Test
    void dropsACopyWithALongBodyAndServesTheRequest() throws Exception {
        MirrorConfig small = POSTS.withBody(new ByteSize(10));
        try (ScriptedOrigin primary = ScriptedOrigin.answeringWhoStays(
                        (r, c) -> c.send(Responses.ok("got " + r.body().length())));
                ScriptedOrigin shadow = answers("shadow");
                Running gateway = setup(primary, shadow.address(), small).start();
                RawClient client = gateway.client()) {
            assertThat(post(client, "x".repeat(11)).body()).isEqualTo("got 11");
            assertThat(gateway.nextCopy().outcome()).isEqualTo(MirrorOutcome.BODY_TOO_LONG);
            String chunked = "POST /b HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n8\r\n12345678\r\n";
            assertThat(client.send(chunked)
                            .send("8\r\n12345678\r\n0\r\n\r\n")
                            .readResponse()
                            .body())
                    .isEqualTo("got 16");
            assertThat(gateway.nextCopy().outcome()).isEqualTo(MirrorOutcome.BODY_TOO_LONG);
            post(client, "x".repeat(10));
            assertThat(gateway.nextCopy().outcome()).isEqualTo(MirrorOutcome.RESPONSE);
            assertThat(shadow.requests()).extracting(r -> r.body().length()).containsExactly(10);
        }
    }

    @Test
    void dropsCopiesBeyondTheirLimitAndWithTheClient() throws Exception {
        Gate gate = new Gate();
        try (ScriptedOrigin primary = answers("primary");
                ScriptedOrigin shadow = ScriptedOrigin.answeringWhoStays((r, c) -> {
                    gate.await(Duration.ofMinutes(1));
                    c.send(Responses.ok("late"));
                });
                Running gateway = setup(primary, shadow.address(), POSTS.withConcurrent(2))
                        .start();
                RawClient client = gateway.client()) {
            for (int i = 0; i < 3; i++) {
                assertThat(client.get("/").body()).isEqualTo("primary");
            }
            assertThat(gateway.nextCopy().outcome()).isEqualTo(MirrorOutcome.CONCURRENCY);
            gate.open();
            assertThat(gateway.nextCopy().outcome()).isEqualTo(MirrorOutcome.RESPONSE);
            assertThat(gateway.nextCopy().outcome()).isEqualTo(MirrorOutcome.RESPONSE);
            try (RawClient leaving = gateway.client()) {
                leaving.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nhalf");
                eventually(() -> assertThat(gateway.pools().busy()).isEqualTo(1));
            }
            assertThat(gateway.nextCopy().outcome()).isEqualTo(MirrorOutcome.INCOMPLETE);
            client.get("/");
            assertThat(gateway.nextCopy().outcome()).isEqualTo(MirrorOutcome.RESPONSE);
        }
    }

    @Test
    @SuppressWarnings("try") // it is closed
    void dropsCopiesWhenMemoryIsScarceAndReturnsAllOfIt() throws Exception {
        try (ScriptedOrigin primary = answers("primary".repeat(100));
                ScriptedOrigin shadow = answers("shadow".repeat(100));
                Running gateway = setup(primary, shadow.address(), COMPARING).start();
                RawClient client = gateway.client()) {
            client.get("/");
            assertThat(gateway.nextCopy().outcome()).isEqualTo(MirrorOutcome.RESPONSE);
            long before = MemoryBudget.OF_PROCESS.held();
            try (Scarcity scarcity = Scarcity.leaving(1_000_000)) {
                assertThat(post(client, "x".repeat(1000)).body()).startsWith("primary");
                assertThat(gateway.nextCopy().outcome()).isEqualTo(MirrorOutcome.MEMORY);
            }
            eventually(() -> {
                client.get("/");
                assertThat(gateway.nextCopy().outcome()).isEqualTo(MirrorOutcome.RESPONSE);
            });
            eventually(() -> assertThat(MemoryBudget.OF_PROCESS.held()).isLessThanOrEqualTo(before));
        }
    }

    @Test
    void dropsCopiesWhileTheGatewayShedsLoad() throws Exception {
        RouteResilience never = new RouteResilience(null, null, RouteResilience.HIGHEST_PRIORITY, OnFailure.FAIL_FAST);
        OverloadConfig overload = new OverloadConfig(Duration.ofMinutes(1), new Percent(10), new Percent(99));
        // Pooled, because JDK 25 does not count others; each takes a chunk.
        List<ByteBuf> much = new ArrayList<>();
        while (PlatformDependent.usedDirectMemory() < PlatformDependent.maxDirectMemory() / 4) {
            much.add(PooledByteBufAllocator.DEFAULT.directBuffer(3 << 20));
        }
        try (ScriptedOrigin primary = answers("primary");
                ScriptedOrigin shadow = answers("shadow");
                Running gateway = Running.start(
                        setup(primary, shadow.address(), MIRROR)
                                .resilience(never)
                                .config()
                                .withOverload(overload),
                        FilterSet.EMPTY);
                RawClient client = gateway.client()) {
            eventually(Duration.ofSeconds(30), () -> {
                assertThat(client.get("/").body()).isEqualTo("primary");
                assertThat(gateway.nextCopy().outcome()).isEqualTo(MirrorOutcome.OVERLOAD);
            });
        } finally {
            much.forEach(ByteBuf::release);
        }
    }

    // ---- compared responses

    @Test
    void recordsBothResponsesWithoutTheChangesOfOutboundFilters() throws Exception {
        try (ScriptedOrigin primary = ScriptedOrigin.answeringWhoStays(
                        (r, c) -> c.send(Responses.of(200, "one", "X-A: 1", "X-A: 2")));
                ScriptedOrigin shadow = ScriptedOrigin.answeringWhoStays((r, c) -> c.send(Responses.of(201, "two")));
                Running gateway = setup(primary, shadow.address(), COMPARING)
                        .filters(FilterSet.of(TestFilter.outbound(exchange -> {
                            exchange.getResponse().getHeaders().set("x-a", "changed");
                            return exchange.proceed();
                        })))
                        .start();
                RawClient client = gateway.client()) {
            RawMessage response = client.get("/a?token=secret&b=1");
            assertThat(response.value("x-a")).contains("changed");
            MirrorPair pair = pair(gateway);
            assertThat(pair.primary().status()).isEqualTo(200);
            assertThat(pair.primary().headers()).containsEntry("x-a", "1, 2");
            assertThat(text(Objects.requireNonNull(pair.primary().body()))).isEqualTo("one");
            assertThat(pair.shadow().status()).isEqualTo(201);
            assertThat(pair.shadow().headers()).isEmpty();
            assertThat(text(Objects.requireNonNull(pair.shadow().body()))).isEqualTo("two");
            assertThat(pair.requestId()).isEqualTo(gateway.nextOutcome().requestId());
            assertThat(pair.target()).startsWith("/a?").contains("b=1").doesNotContain("secret");
        }
    }

    @Test
    void comparesNoBodyBeyondItsLimit() throws Exception {
        String longBody = "x".repeat(5000);
        try (ScriptedOrigin primary = ScriptedOrigin.answeringWhoStays((r, c) ->
                        c.send(r.target().equals("/c") ? Responses.chunked(longBody) : Responses.ok(longBody)));
                ScriptedOrigin shadow = answers(longBody);
                Running gateway = setup(primary, shadow.address(), COMPARING).start();
                RawClient client = gateway.client()) {
            for (String path : List.of("/c", "/l")) {
                assertThat(client.get(path).body()).isEqualTo(longBody);
                MirrorPair pair = pair(gateway);
                assertThat(pair.primary().body()).isNull();
                assertThat(pair.shadow().body()).isNull();
            }
        }
    }

    @Test
    void comparesNothingIfTheOriginFails() throws Exception {
        ConnectionScript cut = c -> {
            c.readRequest();
            c.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort");
        };
        try (ScriptedOrigin primary = ScriptedOrigin.start().onConnection(cut.untilThePeerLeaves());
                ScriptedOrigin shadow = answers("shadow");
                Running gateway = setup(primary, shadow.address(), COMPARING).start();
                RawClient client = gateway.client()) {
            client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n").awaitEnd();
            Outcomes.Copy copy = gateway.nextCopy();
            assertThat(copy.outcome()).isEqualTo(MirrorOutcome.RESPONSE);
            assertThat(copy.pair()).isNull();
        }
    }

    @Test
    void comparesNothingWithTheResponseOfAFallback() throws Exception {
        OnFailure other = new OnFailure(new RouteAction.Proxy("other"), null, Set.of(503));
        RouteResilience fallback = new RouteResilience(null, null, 0, other);
        try (RefusingPort dead = new RefusingPort();
                ScriptedOrigin busy = ScriptedOrigin.answeringWhoStays((r, c) -> c.send(Responses.of(503, "busy")));
                ScriptedOrigin instead = answers("fallback");
                ScriptedOrigin shadow = answers("shadow")) {
            for (InetSocketAddress primary : List.of(busy.address(), dead.address())) {
                try (Running gateway = Setup.to(primary)
                                .upstream("shadow", shadow.address())
                                .upstream("other", instead.address())
                                .resilience(fallback)
                                .mirror(COMPARING)
                                .start();
                        RawClient client = gateway.client()) {
                    assertThat(client.get("/").body()).isEqualTo("fallback");
                    if (primary.equals(busy.address())) {
                        assertThat(gateway.nextCopy().pair()).isNull();
                    }
                    assertThat(gateway.hasMoreCopies()).isFalse();
                }
            }
        }
    }

    @Test
    void doesNotWaitForAPrimaryResponseThatDoesNotEnd() throws Exception {
        MirrorConfig brief = COMPARING.withConcurrent(1).withTimeout(Duration.ofSeconds(1));
        ConnectionScript endless = c -> {
            c.readRequest();
            c.send(Responses.head(200, "Transfer-Encoding: chunked") + "\r\n1\r\nx\r\n");
            c.awaitEnd();
        };
        try (ScriptedOrigin primary = ScriptedOrigin.start().onConnection(endless.untilThePeerLeaves());
                ScriptedOrigin shadow = answers("shadow");
                Running gateway = setup(primary, shadow.address(), brief).start();
                RawClient first = gateway.client();
                RawClient second = gateway.client()) {
            for (RawClient client : List.of(first, second)) {
                client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
                Outcomes.Copy copy = gateway.nextCopy();
                assertThat(copy.outcome()).isEqualTo(MirrorOutcome.RESPONSE);
                assertThat(copy.pair()).isNull();
            }
            assertThat(gateway.hasMoreOutcomes()).isFalse();
        }
    }

    @Test
    void doesNotWaitForARequestThatDoesNotEnd() throws Exception {
        MirrorConfig brief = POSTS.withConcurrent(1).withTimeout(Duration.ofSeconds(1));
        try (ScriptedOrigin primary = answers("primary");
                ScriptedOrigin shadow = answers("shadow");
                Running gateway = setup(primary, shadow.address(), brief).start();
                RawClient slow = gateway.client();
                RawClient client = gateway.client()) {
            slow.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nhalf");
            assertThat(gateway.nextCopy().outcome()).isEqualTo(MirrorOutcome.INCOMPLETE);
            client.get("/");
            assertThat(gateway.nextCopy().outcome()).isEqualTo(MirrorOutcome.RESPONSE);
            assertThat(slow.send("-half2").readResponse().body()).isEqualTo("primary");
        }
    }

    // ---- reload and shutdown

    @Test
    void completesACopyAfterItsMirrorIsRemoved() throws Exception {
        Gate gate = new Gate();
        try (ScriptedOrigin primary = answers("primary");
                ScriptedOrigin shadow = ScriptedOrigin.answeringWhoStays((r, c) -> {
                    gate.await(Duration.ofMinutes(1));
                    c.send(Responses.ok("late"));
                });
                Running gateway = setup(primary, shadow.address(), COMPARING).start();
                RawClient client = gateway.client()) {
            client.get("/");
            shadow.awaitConnections(1);
            gateway.gateway().apply(Setup.to(primary.address()).config());
            assertThat(client.get("/").body()).isEqualTo("primary");
            gate.open();
            assertThat(gateway.nextCopy().outcome()).isEqualTo(MirrorOutcome.RESPONSE);
            assertThat(gateway.hasMoreCopies()).isFalse();
        }
    }

    @Test
    void drainsWithoutWaitingForCopies() throws Exception {
        ConnectionScript stalls = c -> {
            c.readRequest();
            c.awaitEnd();
        };
        MirrorConfig patient = MIRROR.withTimeout(Duration.ofHours(1));
        try (ScriptedOrigin primary = answers("primary");
                ScriptedOrigin shadow = ScriptedOrigin.start().onConnection(stalls.untilThePeerLeaves());
                Running gateway = setup(primary, shadow.address(), patient).start()) {
            try (RawClient client = gateway.client()) {
                client.get("/");
            }
            shadow.awaitConnections(1);
            assertThat(gateway.drain(Duration.ofHours(1))).isZero();
            assertThat(gateway.nextCopy().outcome()).isEqualTo(MirrorOutcome.FAILED);
        }
    }

    // ---- configuration

    @Test
    void refusesAnUnknownUpstreamAndTheUpstreamOfTheRoute() {
        InetSocketAddress somewhere = new InetSocketAddress(InetAddress.getLoopbackAddress(), 1);
        assertThatThrownBy(() -> Setup.to(somewhere).mirror(MIRROR).config())
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("routes[0].mirror.upstream");
        assertThatThrownBy(() ->
                        Setup.to(somewhere).mirror(MirrorConfig.to("origin")).config())
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("an upstream other than");
    }
}
