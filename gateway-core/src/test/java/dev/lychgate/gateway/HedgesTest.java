package dev.lychgate.gateway;

import static dev.lychgate.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.chain.FilterSet;
import dev.lychgate.config.Algorithm;
import dev.lychgate.config.BalanceConfig;
import dev.lychgate.config.ByteSize;
import dev.lychgate.config.EndpointConfig;
import dev.lychgate.config.OnFailure;
import dev.lychgate.config.Percent;
import dev.lychgate.config.RetryBudgetConfig;
import dev.lychgate.config.RetryConfig;
import dev.lychgate.config.RouteAction;
import dev.lychgate.config.UpstreamConfig;
import dev.lychgate.config.UpstreamResilience;
import dev.lychgate.filter.FilterPhase;
import dev.lychgate.testing.Gate;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.RequestScript;
import dev.lychgate.testing.Responses;
import dev.lychgate.testing.Rfc;
import dev.lychgate.testing.ScriptedOrigin;
import dev.lychgate.testing.TestFilter;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Two origins, of which one can be slow; a second attempt is begun after 100 ms. */
@Tag("slow")
class HedgesTest {
    private static final Duration DELAY = Duration.ofMillis(100);
    /** The delay of an origin that has to respond last, even on a slow machine. */
    private static final Duration LATE = Duration.ofSeconds(1);

    private static final RetryConfig HEDGED = hedged(DELAY);

    private static RetryConfig hedged(Duration delay) {
        return new RetryConfig(
                2,
                List.of("reset", "503"),
                Duration.ZERO,
                RetryConfig.Backoff.DEFAULT,
                Duration.ofSeconds(1),
                ByteSize.ofKiB(64),
                false,
                new RetryConfig.Hedge(delay, 0));
    }

    private final Gate gate = new Gate();

    private static ScriptedOrigin origin(RequestScript script) {
        return ScriptedOrigin.answering(script);
    }

    private ScriptedOrigin slow() {
        return origin((r, c) -> c.stallUntil(gate).send(Responses.ok("slow")));
    }

    private static ScriptedOrigin quick() {
        return origin((r, c) -> c.send(Responses.ok("quick " + r.body())));
    }

    private static Running start(ScriptedOrigin first, ScriptedOrigin second) {
        return setup(first, second).start();
    }

    private static Setup setup(ScriptedOrigin first, ScriptedOrigin second) {
        return new Setup().upstream(upstream("origin", first, second)).retrying(HEDGED);
    }

    /** Its first request goes to the first endpoint. */
    private static UpstreamConfig upstream(String name, ScriptedOrigin first, ScriptedOrigin second) {
        UpstreamResilience generous =
                new UpstreamResilience(new RetryBudgetConfig(new Percent(100), 1000), null, null, null);
        return UpstreamConfig.of(
                        name,
                        new EndpointConfig("127.0.0.1", first.port()),
                        new EndpointConfig("127.0.0.1", second.port()))
                .withBalance(BalanceConfig.of(Algorithm.ROUND_ROBIN))
                .withResilience(generous);
    }

    /** An upstream with one origin, which fails at once; its requests are then sent elsewhere. */
    private static Setup broken(ScriptedOrigin origin, UpstreamConfig elsewhere) {
        return Setup.to(origin.address())
                .upstream(elsewhere)
                .onFailure(new OnFailure(new RouteAction.Proxy("elsewhere"), Set.of(500)))
                .retrying(HEDGED);
    }

    @Test
    void theFastAttemptRespondsAndTheSlowOneIsCancelled() throws Exception {
        try (ScriptedOrigin slow = slow();
                ScriptedOrigin quick = quick();
                Running gateway = start(slow, quick);
                RawClient client = gateway.client()) {
            for (int i = 0; i < 6; i++) {
                assertThat(client.get("/").body()).isEqualTo("quick ");
            }
            // Both attempts count, so the first one may always be the same.
            assertThat(slow.requestsSeen()).isBetween(2, 6);
            assertThat(quick.requestsSeen()).isEqualTo(6);
            eventually(() -> assertThat(gateway.pools().busy()).isZero());
            gate.open();
            assertThat(client.get("/").status()).isEqualTo(200);
        }
    }

    @Test
    @Rfc({"9110, 9.2.2", "10008, 2"})
    void aQueryIsHedgedWithItsBody() throws Exception {
        try (ScriptedOrigin slow = slow();
                ScriptedOrigin quick = quick();
                Running gateway = start(slow, quick);
                RawClient client = gateway.client()) {
            for (int i = 0; i < 2; i++) {
                client.send("QUERY / HTTP/1.1\r\nHost: a\r\nContent-Length: 6\r\n\r\nselect");
                assertThat(client.readResponse().body()).isEqualTo("quick select");
            }
            assertThat(slow.requestsSeen()).isPositive();
        }
    }

    @Test
    void aRequestIsHedgedAfterThePublisherOfItsBodyHasEnded() throws Exception {
        TestFilter mapping = TestFilter.of("map", FilterPhase.INBOUND, exchange -> {
            exchange.getRequest().mapBody(body -> body);
            return exchange.proceed();
        });
        try (ScriptedOrigin slow = slow();
                ScriptedOrigin quick = quick();
                Running gateway =
                        setup(slow, quick).filters(FilterSet.of(mapping)).start();
                RawClient client = gateway.client()) {
            for (int i = 0; i < 2; i++) {
                client.send("QUERY / HTTP/1.1\r\nHost: a\r\nContent-Length: 6\r\n\r\nselect");
                assertThat(client.readResponse().body()).isEqualTo("quick select");
            }
            assertThat(slow.requestsSeen()).isPositive();
        }
    }

    @Test
    void aFastResponseToBeRetriedDoesNotEndASlowSuccessfulOne() throws Exception {
        try (ScriptedOrigin slow = origin((r, c) -> {
                    Thread.sleep(400);
                    c.send(Responses.ok("slow"));
                });
                ScriptedOrigin bad = origin((r, c) -> c.send("HTTP/1.1 503 No\r\nContent-Length: 0\r\n\r\n"));
                Running gateway = start(slow, bad);
                RawClient client = gateway.client()) {
            for (int i = 0; i < 4; i++) {
                assertThat(client.get("/").body()).isEqualTo("slow");
            }
            assertThat(bad.requestsSeen()).isPositive();
            eventually(() -> assertThat(gateway.pools().busy()).isZero());
        }
    }

    @Test
    void theBodyGoesToBoth() throws Exception {
        try (ScriptedOrigin slow = slow();
                ScriptedOrigin quick = quick();
                Running gateway = start(slow, quick);
                RawClient client = gateway.client()) {
            for (int i = 0; i < 4; i++) {
                client.send("PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nbody");
                assertThat(client.readResponse().body()).isEqualTo("quick body");
            }
            assertThat(slow.requestsSeen()).isPositive();
            gate.open();
        }
    }

    @Test
    void doesNotHedgeUnsafeRequests() throws Exception {
        try (ScriptedOrigin slow = slow();
                ScriptedOrigin quick = quick();
                Running gateway = start(slow, quick);
                RawClient client = gateway.client()) {
            for (int i = 0; i < 2; i++) {
                client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nbody");
                Thread.sleep(300);
                gate.open();
                assertThat(client.readResponse().status()).isEqualTo(200);
            }
            assertThat(slow.requestsSeen() + quick.requestsSeen()).isEqualTo(2);
        }
    }

    @Test
    void theFirstMayWinAfterAll() throws Exception {
        Gate second = new Gate();
        try (ScriptedOrigin first = slow();
                ScriptedOrigin other = origin((r, c) -> c.stallUntil(second).send(Responses.ok("other")));
                Running gateway = start(first, other);
                RawClient client = gateway.client()) {
            client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
            first.awaitRequests(1);
            other.awaitRequests(1);
            gate.open();
            assertThat(client.readResponse().body()).isEqualTo("slow");
            second.open();
            eventually(() -> assertThat(gateway.pools().busy()).isZero());
        }
    }

    @Test
    void aFailedAttemptDoesNotEndTheOther() throws Exception {
        try (ScriptedOrigin slow = slow();
                ScriptedOrigin failing = origin((r, c) -> {
                    Thread.sleep(200);
                    c.reset();
                });
                Running gateway = start(slow, failing);
                RawClient client = gateway.client()) {
            client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
            slow.awaitRequests(1);
            failing.awaitRequests(1);
            Thread.sleep(400);
            gate.open();
            assertThat(client.readResponse().body()).isEqualTo("slow");
        }
    }

    @Test
    void aFallbackLeavesNeitherBehind() throws Exception {
        Gate hedged = new Gate();
        Gate never = new Gate();
        try (ScriptedOrigin failing = origin((r, c) -> c.stallUntil(hedged).send(Responses.of(500, "broken")));
                ScriptedOrigin second = origin((r, c) -> {
                    hedged.open();
                    c.stallUntil(never).send(Responses.ok("late"));
                });
                ScriptedOrigin elsewhere = origin((r, c) -> {
                    never.open();
                    Thread.sleep(300);
                    c.send(Responses.ok("elsewhere"));
                });
                Running gateway = setup(failing, second)
                        .upstream(UpstreamConfig.of("elsewhere", new EndpointConfig("127.0.0.1", elsewhere.port())))
                        .onFailure(new OnFailure(new RouteAction.Proxy("elsewhere"), Set.of(500)))
                        .start();
                RawClient client = gateway.client()) {
            client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
            assertThat(client.readResponse().body()).isEqualTo("elsewhere");
            assertThat(second.requestsSeen()).isEqualTo(1);
            eventually(() -> assertThat(gateway.pools().busy()).isZero());
        }
    }

    @Test
    void theFallbackIsHedgedToo() throws Exception {
        try (ScriptedOrigin broken = origin((r, c) -> c.send(Responses.of(500, "broken")));
                ScriptedOrigin slow = slow();
                ScriptedOrigin quick = quick();
                Running gateway = broken(broken, upstream("elsewhere", slow, quick))
                        .retrying(hedged(LATE))
                        .start();
                RawClient client = gateway.client()) {
            long begun = System.nanoTime();
            client.send("PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nbody");
            assertThat(client.readResponse().body()).isEqualTo("quick body");
            assertThat(Duration.ofNanos(System.nanoTime() - begun)).isGreaterThanOrEqualTo(LATE);
            assertThat(gateway.nextOutcome().attempts()).isEqualTo(3);
            slow.awaitRequests(1);
            assertThat(broken.requestsSeen()).isEqualTo(1);
            assertThat(slow.requestsSeen()).isEqualTo(1);
            assertThat(quick.requestsSeen()).isEqualTo(1);
            eventually(() -> assertThat(gateway.pools().busy()).isZero());
        }
        gate.open();
    }

    @Test
    void aFallbackThatIsQuickIsNotHedged() throws Exception {
        try (ScriptedOrigin broken = origin((r, c) -> c.send(Responses.of(500, "broken")));
                ScriptedOrigin slow = slow();
                ScriptedOrigin quick = quick();
                Running gateway = broken(broken, upstream("elsewhere", quick, slow))
                        .retrying(hedged(Duration.ofSeconds(5)))
                        .start();
                RawClient client = gateway.client()) {
            assertThat(client.get("/").body()).isEqualTo("quick ");
            assertThat(gateway.nextOutcome().attempts()).isEqualTo(2);
            assertThat(slow.requestsSeen()).isZero();
        }
        gate.open();
    }

    @Test
    void aClientThatLeavesEndsBoth() throws Exception {
        try (ScriptedOrigin slow = slow();
                ScriptedOrigin other = slow();
                Running gateway = start(slow, other)) {
            try (RawClient client = gateway.client()) {
                client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
                slow.awaitRequests(1);
                other.awaitRequests(1);
            }
            eventually(() -> assertThat(gateway.pools().busy()).isZero());
            gate.open();
        }
    }
}
