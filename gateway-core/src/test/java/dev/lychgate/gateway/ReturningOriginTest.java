package dev.lychgate.gateway;

import static dev.lychgate.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.config.ActiveHealthConfig;
import dev.lychgate.config.BalanceConfig;
import dev.lychgate.config.BreakerConfig;
import dev.lychgate.config.BulkheadConfig;
import dev.lychgate.config.EndpointConfig;
import dev.lychgate.config.HealthConfig;
import dev.lychgate.config.Percent;
import dev.lychgate.config.RetryBudgetConfig;
import dev.lychgate.config.RetryConfig;
import dev.lychgate.config.UpstreamConfig;
import dev.lychgate.config.UpstreamResilience;
import dev.lychgate.gateway.Crowd.Heard;
import dev.lychgate.testing.Gate;
import dev.lychgate.testing.RefusingPort;
import dev.lychgate.testing.RequestScript;
import dev.lychgate.testing.Responses;
import dev.lychgate.testing.ScriptedOrigin;
import dev.lychgate.upstream.EndpointState.Health;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A dead origin returns while twenty clients repeat their requests: the number that reaches it at once. */
@Tag("slow")
class ReturningOriginTest {
    private static final int CLIENTS = 20;
    private static final String GET = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
    private static final RetryConfig RETRY = new RetryConfig(
            4,
            RetryConfig.DEFAULT.on(),
            Duration.ZERO,
            RetryConfig.Backoff.DEFAULT,
            Duration.ofSeconds(1),
            RetryConfig.DEFAULT.body(),
            false,
            null);

    private final RefusingPort port;
    private final AtomicInteger underWay = new AtomicInteger();
    private final AtomicInteger mostUnderWay = new AtomicInteger();

    ReturningOriginTest() throws IOException {
        port = new RefusingPort();
    }

    @AfterEach
    void close() throws IOException {
        port.close();
    }

    private Setup setup(UpstreamResilience resilience) {
        return new Setup()
                .upstream(UpstreamConfig.of(
                                "origin",
                                new EndpointConfig("127.0.0.1", port.address().getPort()))
                        .withResilience(resilience))
                .retrying(RETRY);
    }

    private static UpstreamResilience guarded(Duration open, @Nullable BulkheadConfig bulkhead) {
        BreakerConfig breaker = new BreakerConfig(new Percent(50), Duration.ofSeconds(10), 20, open, false);
        return new UpstreamResilience(RetryBudgetConfig.DEFAULT, breaker, bulkhead, null);
    }

    /** The origin returns, and counts how many requests it has at once. */
    private ScriptedOrigin returns(RequestScript script) {
        return ScriptedOrigin.startAt(
                port,
                c -> c.answerEvery((request, connection) -> {
                    mostUnderWay.accumulateAndGet(underWay.incrementAndGet(), Math::max);
                    try {
                        script.respond(request, connection);
                    } finally {
                        underWay.decrementAndGet();
                    }
                }));
    }

    @Test
    void withoutABreakerItGetsAllRequestsAtOnceButNoneTwice() throws Exception {
        Gate all = new Gate();
        try (Running gateway = setup(UpstreamResilience.DEFAULT).start();
                Crowd crowd = new Crowd(gateway, CLIENTS)) {
            Crowd.UnderWay herd = crowd.begin(GET, Integer.MAX_VALUE);
            eventually(() -> assertThat(gateway.pools().connectFailures()).isGreaterThan(CLIENTS));
            try (ScriptedOrigin origin = returns((r, c) -> c.stallUntil(all).send(Responses.ok("back")))) {
                eventually(() -> assertThat(mostUnderWay.get()).isEqualTo(CLIENTS));
                all.open();
                eventually(
                        Duration.ofSeconds(30),
                        () -> assertThat(origin.requestsSeen()).isGreaterThan(200 * CLIENTS));
                crowd.finish();
                Heard heard = herd.heard();
                assertThat(heard.of("200 back") + heard.of("502 connect-refused"))
                        .as("%s", heard)
                        .isEqualTo(heard.all());
                // No requests were queued during its absence.
                assertThat(origin.requestsSeen()).isEqualTo(heard.of("200 back"));
                assertThat(mostUnderWay.get()).isEqualTo(CLIENTS);
            }
        }
    }

    @Test
    void withABreakerOneProbeDecides() throws Exception {
        Gate probe = new Gate();
        try (Running gateway = setup(guarded(Duration.ofMillis(2500), null)).start();
                Crowd crowd = new Crowd(gateway, CLIENTS);
                Crowd scout = new Crowd(gateway, 1)) {
            assertThat(crowd.get(5).of("503 circuit-open")).isPositive();
            long refused = gateway.pools().connectFailures();
            assertThat(refused).isBetween(20L, 20L + CLIENTS);
            try (ScriptedOrigin origin = returns((r, c) -> c.stallUntil(probe).send(Responses.ok("back")))) {
                List<Crowd.UnderWay> asked = new ArrayList<>();
                eventually(() -> {
                    asked.add(scout.begin(GET, 1));
                    assertThat(mostUnderWay.get()).isPositive();
                });
                Heard heard = crowd.get(5);
                assertThat(heard.of("503 circuit-open")).as("%s", heard).isEqualTo(5 * CLIENTS);
                assertThat(origin.requestsSeen()).isEqualTo(1);

                probe.open();
                for (Crowd.UnderWay each : asked) {
                    each.heard();
                }
                assertThat(crowd.get(5).of("200 back")).isEqualTo(5 * CLIENTS);
            }
        }
    }

    @Test
    void afterTheProbeABulkheadHoldsTheRestBack() throws Exception {
        try (Running gateway = setup(guarded(Duration.ofMillis(300), new BulkheadConfig(4)))
                        .start();
                Crowd crowd = new Crowd(gateway, CLIENTS)) {
            assertThat(crowd.get(5).of("503 circuit-open")).isPositive();
            try (ScriptedOrigin origin = returns((r, c) -> {
                Thread.sleep(FiveOrigins.MILLIS);
                c.send(Responses.ok("back"));
            })) {
                eventually(() -> assertThat(crowd.get(1).of("200 back")).isPositive());
                Heard heard = crowd.get(20);
                assertThat(heard.of("200 back")).as("%s", heard).isPositive();
                assertThat(heard.of("200 back") + heard.of("503 bulkhead-full"))
                        .as("%s", heard)
                        .isEqualTo(20 * CLIENTS);
                assertThat(mostUnderWay.get()).isLessThanOrEqualTo(4);
                assertThat(origin.requestsSeen()).isGreaterThanOrEqualTo(heard.of("200 back"));
            }
        }
    }

    @Test
    void oneOfFiveThatReturnsGetsItsFullShareAtOnce() throws Exception {
        assertThat(shareAfterTheReturn(Duration.ZERO)).as("of 500").isBetween(60, 160);
    }

    @Test
    void withASlowStartItBeginsWithATenthOfThat() throws Exception {
        assertThat(shareAfterTheReturn(Duration.ofMinutes(5))).as("of 500").isBetween(1, 40);
    }

    /** The number of requests to it among the first 500 after a successful check. */
    private static int shareAfterTheReturn(Duration slowStart) throws Exception {
        ActiveHealthConfig checks = new ActiveHealthConfig(
                null, null, 0, Duration.ofMillis(100), new Percent(10), Duration.ofSeconds(5), 2, 2, Set.of(), null);
        try (FiveOrigins five = new FiveOrigins();
                Running gateway = new Setup()
                        .upstream(five.upstream(BalanceConfig.DEFAULT.withSlowStart(slowStart))
                                .withHealth(new HealthConfig(checks, null)))
                        .start();
                Crowd crowd = new Crowd(gateway, CLIENTS)) {
            five.die(0);
            eventually(() -> assertThat(five.state(gateway, 0).health()).isEqualTo(Health.UNHEALTHY));
            assertThat(crowd.get(5).bad()).isZero();
            assertThat(five.seen(0)).isZero();
            five.rise(0);
            eventually(() -> assertThat(five.state(gateway, 0).health()).isEqualTo(Health.HEALTHY));
            Heard heard = crowd.get(25);
            assertThat(heard.good()).as("%s", heard).isEqualTo(500);
            return heard.of("200 0");
        }
    }
}
