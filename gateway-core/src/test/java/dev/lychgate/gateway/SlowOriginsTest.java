package dev.lychgate.gateway;

import static dev.lychgate.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lychgate.config.Algorithm;
import dev.lychgate.config.BalanceConfig;
import dev.lychgate.config.BreakerConfig;
import dev.lychgate.config.ByteSize;
import dev.lychgate.config.HealthConfig;
import dev.lychgate.config.OutlierConfig;
import dev.lychgate.config.Percent;
import dev.lychgate.config.RetryBudgetConfig;
import dev.lychgate.config.RetryConfig;
import dev.lychgate.config.RouteTimeouts;
import dev.lychgate.config.UpstreamConfig;
import dev.lychgate.config.UpstreamResilience;
import dev.lychgate.error.ErrorKind;
import dev.lychgate.gateway.Crowd.Heard;
import dev.lychgate.testing.BlackHole;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.Responses;
import dev.lychgate.testing.ScriptedConnection;
import dev.lychgate.testing.ScriptedOrigin;
import java.io.EOFException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Ten clients, five origins, of which one or all respond late, never, or byte by byte. */
@Tag("slow")
class SlowOriginsTest {
    private static final Duration SHORT = Duration.ofSeconds(1);
    /** Short for a client of a silent origin, long for healthy ones on a busy machine. */
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private static final Duration LONG = Duration.ofSeconds(30);
    private static final int CLIENTS = 10;

    private static final HealthConfig OUTLIERS = new HealthConfig(null, OutlierConfig.DEFAULT);
    private static final RetryConfig RETRY = new RetryConfig(
            2,
            List.of("connect-failure", "timeout"),
            Duration.ZERO,
            RetryConfig.Backoff.DEFAULT,
            Duration.ofSeconds(1),
            ByteSize.ofKiB(64),
            false,
            null);

    private final FiveOrigins five;

    SlowOriginsTest() throws IOException {
        five = new FiveOrigins();
    }

    @AfterEach
    void close() throws IOException {
        five.close();
    }

    private Setup setup(UpstreamConfig upstream) {
        return new Setup().upstream(upstream).timeouts(Setup.waiting(LONG, PATIENCE, PATIENCE, LONG, Duration.ZERO));
    }

    // ---- a hundred times slower

    @Test
    void aSlowOneOfFiveKeepsAFifthWaitingIfAllTakeTurns() throws Exception {
        Heard heard = whileOneIsSlow(five.upstream(Algorithm.ROUND_ROBIN), 5);
        assertThat(heard.of("200 slow")).as("of 50: %s", heard).isEqualTo(10);
    }

    @Test
    void leastRequestsGivesItFewer() throws Exception {
        Heard heard = whileOneIsSlow(five.upstream(Algorithm.LEAST_REQUESTS), 20);
        assertThat(heard.good()).isEqualTo(200);
        assertThat(heard.of("200 slow")).as("of 200: %s", heard).isBetween(1, 30);
    }

    @Test
    void leastResponseTimeAvoidsItAfterItsFirstResponses() throws Exception {
        Heard heard = whileOneIsSlow(five.upstream(Algorithm.LEAST_RESPONSE_TIME), 20);
        assertThat(heard.good()).isEqualTo(200);
        assertThat(heard.of("200 slow")).as("of 200: %s", heard).isBetween(1, 20);
    }

    private Heard whileOneIsSlow(UpstreamConfig upstream, int each) throws Exception {
        beSlow();
        try (Running gateway = new Setup().upstream(upstream).start();
                Crowd crowd = new Crowd(gateway, CLIENTS)) {
            return crowd.get(each);
        }
    }

    private void beSlow() {
        five.does(0, (r, c) -> {
            Thread.sleep(100 * FiveOrigins.MILLIS);
            c.send(Responses.ok("slow"));
        });
    }

    @Test
    void outlierDetectionEjectsItIfConfigured() throws Exception {
        beSlow();
        OutlierConfig slower =
                new OutlierConfig(0, LONG, LONG, new Percent(50), Duration.ofMillis(700), 3, new Percent(100), 3);
        try (Running gateway = new Setup()
                        .upstream(five.upstream(Algorithm.ROUND_ROBIN).withHealth(new HealthConfig(null, slower)))
                        .start();
                Crowd crowd = new Crowd(gateway, CLIENTS)) {
            eventually(() -> {
                crowd.get(2);
                assertThat(five.state(gateway, 0).ejectedUntil()).isGreaterThan(System.nanoTime());
            });
            int seen = five.seen(0);
            assertThat(crowd.get(20).of("200 slow")).isZero();
            assertThat(five.seen(0)).isEqualTo(seen);
        }
    }

    // ---- accepts and never responds

    private static void neverAnswer(ScriptedConnection connection) throws IOException {
        connection.within(LONG).awaitEnd();
    }

    @Test
    void aSilentEndpointCausesAnErrorAfterTheTimeout() throws Exception {
        five.does(0, (r, c) -> neverAnswer(c));
        try (Running gateway = setup(five.upstream()).start();
                Crowd crowd = new Crowd(gateway, CLIENTS)) {
            Heard heard = crowd.get(6);
            assertThat(heard.of("504 response-timeout")).as("of 60: %s", heard).isBetween(1, 20);
            assertThat(heard.good() + heard.of("504 response-timeout")).isEqualTo(60);
            assertThat(five.seen(0)).isEqualTo(heard.of("504 response-timeout"));
        }
    }

    @Test
    void aGetIsSentElsewhereAndTheSilentOneIsEjected() throws Exception {
        try (Running gateway = setup(five.upstream(Algorithm.ROUND_ROBIN).withHealth(OUTLIERS))
                        .retrying(RETRY)
                        .start();
                Crowd crowd = new Crowd(gateway, CLIENTS)) {
            crowd.get(40);
            five.does(0, (r, c) -> neverAnswer(c));
            int before = five.seen(0);
            eventually(LONG, () -> {
                crowd.get(1);
                assertThat(five.state(gateway, 0).ejectedUntil()).isGreaterThan(System.nanoTime());
            });
            int met = five.seen(0) - before;
            assertThat(met).isBetween(5, 5 + 3 * CLIENTS);
            crowd.get(20);
            assertThat(five.seen(0) - before).isEqualTo(met);
            assertThat(crowd.bad()).isZero();
        }
    }

    @Test
    void aPostThatASilentOneHasSeenIsNotSentElsewhere() throws Exception {
        five.does(0, (r, c) -> neverAnswer(c));
        try (Running gateway = setup(five.upstream(Algorithm.ROUND_ROBIN))
                        .retrying(RETRY)
                        .start();
                Crowd crowd = new Crowd(gateway, CLIENTS)) {
            Heard heard = crowd.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\npay", 5);
            assertThat(heard.of("504 response-timeout")).as("of 50: %s", heard).isEqualTo(10);
            assertThat(five.seenByAll()).isEqualTo(50);
        }
    }

    @Test
    void aBreakerSparesClientsTheWaitForSilentOnes() throws Exception {
        for (int i = 0; i < FiveOrigins.COUNT; i++) {
            five.does(i, (r, c) -> neverAnswer(c));
        }
        BreakerConfig breaker = new BreakerConfig(new Percent(50), Duration.ofSeconds(10), 20, LONG, false);
        UpstreamResilience guarded = new UpstreamResilience(RetryBudgetConfig.DEFAULT, breaker, null, null);
        try (Running gateway = setup(five.upstream().withResilience(guarded)).start();
                Crowd crowd = new Crowd(gateway, CLIENTS)) {
            Heard heard = crowd.get(50);
            assertThat(heard.of("504 response-timeout")).as("of 500: %s", heard).isBetween(20, 20 + CLIENTS);
            assertThat(heard.of("503 circuit-open")).isEqualTo(500 - heard.of("504 response-timeout"));
            assertThat(five.seenByAll()).isEqualTo(heard.of("504 response-timeout"));
        }
    }

    // ---- a connection that is neither made nor refused

    @Test
    void anUnreachableEndpointCausesAnErrorAfterTheConnectTimeout() throws Exception {
        try (BlackHole hole = new BlackHole();
                Running gateway = setup(five.upstreamWith(0, hole.address(), BalanceConfig.DEFAULT))
                        .start();
                Crowd crowd = new Crowd(gateway, CLIENTS)) {
            Heard heard = crowd.get(6);
            assertThat(heard.of("504 connect-timeout")).as("of 60: %s", heard).isBetween(1, 20);
            assertThat(heard.good() + heard.of("504 connect-timeout")).isEqualTo(60);
        }
    }

    @Test
    void aBlackHoleOnlyCostsTimeIfRequestsAreSentElsewhereAndIsEjected() throws Exception {
        UpstreamResilience generous =
                new UpstreamResilience(new RetryBudgetConfig(new Percent(50), 1000), null, null, null);
        try (BlackHole hole = new BlackHole();
                Running gateway = setup(five.upstreamWith(0, hole.address(), BalanceConfig.of(Algorithm.ROUND_ROBIN))
                                .withHealth(OUTLIERS)
                                .withResilience(generous))
                        .retrying(RETRY)
                        .start();
                Crowd crowd = new Crowd(gateway, CLIENTS)) {
            // It has not received the request, so a POST may be sent elsewhere, too.
            Heard heard = crowd.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\npay", 20);
            assertThat(heard.bad()).as("of 200: %s", heard).isZero();
            assertThat(gateway.pools().connectFailures()).isBetween(5L, 5L + 3 * CLIENTS);
        }
    }

    // ---- bit by bit

    @Test
    void aSlowDripIsNoSilenceAndDelaysNoOtherRequest() throws Exception {
        Duration silence = Duration.ofMillis(2200);
        AtomicBoolean enough = new AtomicBoolean();
        try (ScriptedOrigin origin = ScriptedOrigin.answering((r, c) -> {
                    if (r.target().equals("/drip")) {
                        drip(c, enough);
                    } else {
                        c.send(Responses.ok("at once"));
                    }
                });
                Running gateway = Setup.to(origin.address())
                        .timeouts(new RouteTimeouts(null, null, null, silence, null))
                        .start();
                Crowd patient = new Crowd(gateway, 1);
                Crowd others = new Crowd(gateway, CLIENTS)) {
            Crowd.UnderWay dripping = patient.begin("GET /drip HTTP/1.1\r\nHost: a\r\n\r\n", 1);
            origin.awaitRequests(1);
            long began = System.nanoTime();
            while (System.nanoTime() - began < 2 * silence.toNanos()) {
                assertThat(others.get(10).of("200 at once")).isEqualTo(10 * CLIENTS);
            }
            enough.set(true);
            assertThat(dripping.heard().words()).singleElement().asString().matches("200 x{2,}");
        }
    }

    @Test
    void aSlowDripIsEndedByTheTimeOfTheExchange() throws Exception {
        AtomicBoolean enough = new AtomicBoolean();
        try (ScriptedOrigin origin = ScriptedOrigin.answering((r, c) -> drip(c, enough));
                Running gateway = Setup.to(origin.address())
                        .timeouts(new RouteTimeouts(null, null, null, null, SHORT))
                        .start();
                RawClient client = gateway.client()) {
            client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
            assertThatThrownBy(client::readResponse).isInstanceOf(EOFException.class);
            assertThat(gateway.nextOutcome().error()).isEqualTo(ErrorKind.EXCHANGE_TIMEOUT);
            origin.awaitOpenConnections(0);
        }
    }

    /** Sends a byte every 50 ms until the test ends it, or the peer disconnects. */
    private static void drip(ScriptedConnection c, AtomicBoolean enough) throws Exception {
        c.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
        try {
            while (!enough.get()) {
                c.send("1\r\nx\r\n");
                Thread.sleep(50);
            }
            c.send("0\r\n\r\n");
        } catch (IOException cutOff) {
            c.close();
        }
    }
}
