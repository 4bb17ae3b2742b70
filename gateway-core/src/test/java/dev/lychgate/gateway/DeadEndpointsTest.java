package dev.lychgate.gateway;

import static dev.lychgate.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.config.ActiveHealthConfig;
import dev.lychgate.config.Algorithm;
import dev.lychgate.config.BalanceConfig;
import dev.lychgate.config.BreakerConfig;
import dev.lychgate.config.HealthConfig;
import dev.lychgate.config.OutlierConfig;
import dev.lychgate.config.Percent;
import dev.lychgate.config.RetryBudgetConfig;
import dev.lychgate.config.RetryConfig;
import dev.lychgate.config.UpstreamConfig;
import dev.lychgate.config.UpstreamResilience;
import dev.lychgate.gateway.Crowd.Heard;
import dev.lychgate.testing.ScriptedOrigin;
import dev.lychgate.upstream.EndpointState.Health;
import java.io.IOException;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Ten clients, five origins, of which one refuses connections, or all do. Retries, budget and outliers are the defaults. */
@Tag("slow")
class DeadEndpointsTest {
    private static final HealthConfig OUTLIERS = new HealthConfig(null, OutlierConfig.DEFAULT);
    private static final HealthConfig CHECKS = new HealthConfig(
            new ActiveHealthConfig(
                    null,
                    null,
                    0,
                    Duration.ofMillis(100),
                    new Percent(10),
                    Duration.ofSeconds(5),
                    2,
                    2,
                    Set.of(),
                    null),
            null);
    private static final UpstreamResilience GENEROUS =
            new UpstreamResilience(new RetryBudgetConfig(new Percent(50), 1000), null, null, null);
    private static final int CLIENTS = 10;

    private final FiveOrigins five;

    DeadEndpointsTest() throws IOException {
        five = new FiveOrigins();
    }

    @AfterEach
    void close() throws IOException {
        five.close();
    }

    @Test
    void aDeadOneOfFiveFailsAFifthOfTheRequestsInTurn() throws Exception {
        Heard heard = whileOneIsDead(five.upstream(Algorithm.ROUND_ROBIN));
        assertThat(heard.of("502 connect-refused")).as("of 500: %s", heard).isEqualTo(100);
        assertThat(heard.good()).isEqualTo(400);
    }

    @Test
    void leastRequestsTriesItOnceInASecond() throws Exception {
        theOthersAreBusy();
        Heard heard = whileOneIsDead(five.upstream(Algorithm.LEAST_REQUESTS));
        // Before its first failure is reported, several requests may have started.
        assertThat(heard.of("502 connect-refused")).as("of 500: %s", heard).isBetween(1, 50);
        assertThat(heard.good() + heard.of("502 connect-refused")).isEqualTo(500);
    }

    @Test
    void leastResponseTimeLeavesItAfterItsFirstFailures() throws Exception {
        Heard heard = whileOneIsDead(five.upstream(Algorithm.LEAST_RESPONSE_TIME));
        assertThat(heard.of("502 connect-refused")).as("of 500: %s", heard).isBetween(1, 50);
    }

    /** Only the balancing mitigates the failure, and the endpoint has never been alive. */
    private Heard whileOneIsDead(UpstreamConfig upstream) throws Exception {
        five.die(0);
        try (Running gateway = new Setup().upstream(upstream).start();
                Crowd crowd = new Crowd(gateway, CLIENTS)) {
            return crowd.get(50);
        }
    }

    private void theOthersAreBusy() {
        for (int i = 0; i < FiveOrigins.COUNT; i++) {
            five.works(i, 10);
        }
    }

    @Test
    void retriesHideTheRemainingFailures() throws Exception {
        theOthersAreBusy();
        five.die(0);
        try (Running gateway = new Setup()
                        .upstream(five.upstream(Algorithm.LEAST_REQUESTS))
                        .retrying(RetryConfig.DEFAULT)
                        .start();
                Crowd crowd = new Crowd(gateway, CLIENTS)) {
            Heard heard = crowd.get(50);
            // The budget has a minimum per second, and a fifth of the requests up to that time.
            assertThat(heard.bad()).as("of 500: %s", heard).isLessThan(20);
        }
    }

    @Test
    void aLargerBudgetHidesItWhole() throws Exception {
        five.die(0);
        try (Running gateway = new Setup()
                        .upstream(five.upstream(Algorithm.ROUND_ROBIN).withResilience(GENEROUS))
                        .retrying(RetryConfig.DEFAULT)
                        .start();
                Crowd crowd = new Crowd(gateway, CLIENTS)) {
            Heard heard = crowd.get(50);
            assertThat(heard.bad()).as("of 500: %s", heard).isZero();
            assertThat(gateway.pools().connectFailures()).isBetween(80L, 200L);
        }
    }

    @Test
    void withRetriesAndOutlierDetectionClientsSeeNoFailure() throws Exception {
        try (Running gateway = new Setup()
                        .upstream(five.upstream().withHealth(OUTLIERS))
                        .retrying(RetryConfig.DEFAULT)
                        .start();
                Crowd crowd = new Crowd(gateway, CLIENTS)) {
            crowd.get(100);
            five.die(0);
            Heard heard = crowd.get(50);
            assertThat(heard.bad()).as("of 500: %s", heard).isZero();
            eventually(() -> {
                crowd.get(1);
                assertThat(five.state(gateway, 0).ejectedUntil()).isGreaterThan(System.nanoTime());
            });
            long refused = gateway.pools().connectFailures();
            crowd.get(20);
            assertThat(gateway.pools().connectFailures()).isEqualTo(refused);
            assertThat(crowd.bad()).isZero();
        }
    }

    @Test
    void aCheckExcludesItBeforeAClientFails() throws Exception {
        five.die(0);
        try (Running gateway =
                        new Setup().upstream(five.upstream().withHealth(CHECKS)).start();
                Crowd crowd = new Crowd(gateway, CLIENTS)) {
            eventually(() -> assertThat(five.state(gateway, 0).health()).isEqualTo(Health.UNHEALTHY));
            Heard heard = crowd.get(50);
            assertThat(heard.bad()).as("of 500: %s", heard).isZero();
        }
    }

    // ---- one that accepts, and resets before a byte of the request could reach it

    @Test
    void oneThatResetsEveryConnectionFailsItsShare() throws Exception {
        try (ScriptedOrigin resetting = resetting();
                Running gateway = new Setup()
                        .upstream(five.upstreamWith(0, resetting.address(), BalanceConfig.of(Algorithm.ROUND_ROBIN)))
                        .start();
                Crowd crowd = new Crowd(gateway, CLIENTS)) {
            Heard heard = crowd.get(20);
            // The result depends on whether the failure precedes the end of the connect.
            assertThat(heard.of("502 origin-reset") + heard.of("502 connect-failed"))
                    .as("of 200: %s", heard)
                    .isEqualTo(40);
            assertThat(resetting.connectionsAccepted()).isEqualTo(40);
        }
    }

    @Test
    void retriesHideItAndOutlierDetectionEjectsIt() throws Exception {
        try (ScriptedOrigin resetting = resetting();
                Running gateway = new Setup()
                        .upstream(five.upstreamWith(0, resetting.address(), BalanceConfig.of(Algorithm.ROUND_ROBIN))
                                .withResilience(GENEROUS)
                                .withHealth(OUTLIERS))
                        .retrying(RetryConfig.DEFAULT)
                        .start();
                Crowd crowd = new Crowd(gateway, CLIENTS)) {
            Heard gets = crowd.get(50);
            assertThat(gets.bad()).as("of 500: %s", gets).isZero();
            eventually(() -> {
                crowd.get(1);
                assertThat(five.state(gateway, resetting.address()).ejectedUntil())
                        .isGreaterThan(System.nanoTime());
            });
        }
    }

    private static ScriptedOrigin resetting() {
        return ScriptedOrigin.start().onConnection(c -> c.reset());
    }

    // ---- all endpoints dead

    @Test
    void allClientsGetAnErrorAtOnceIfAllEndpointsAreDead() throws Exception {
        five.dieAll();
        try (Running gateway = new Setup().upstream(five.upstream()).start();
                Crowd crowd = new Crowd(gateway, CLIENTS)) {
            Heard heard = crowd.get(50);
            assertThat(heard.of("502 connect-refused")).as("of 500: %s", heard).isEqualTo(500);
            assertThat(gateway.pools().connectFailures()).isEqualTo(500);
        }
    }

    @Test
    void retriesAddAFifthIfAllEndpointsAreDead() throws Exception {
        five.dieAll();
        try (Running gateway = new Setup()
                        .upstream(five.upstream())
                        .retrying(RetryConfig.DEFAULT)
                        .start();
                Crowd crowd = new Crowd(gateway, CLIENTS)) {
            long began = System.nanoTime();
            Heard heard = crowd.get(50);
            long seconds = Duration.ofNanos(System.nanoTime() - began).toSeconds() + 1;
            assertThat(heard.of("502 connect-refused")).as("of 500: %s", heard).isEqualTo(500);
            // The share, and the minimum until the share is more than that.
            assertThat(gateway.pools().connectFailures()).isBetween(550L, 600L + 3 * (1 + seconds));
        }
    }

    @Test
    void aBreakerStopsAttemptsIfAllEndpointsAreDead() throws Exception {
        five.dieAll();
        BreakerConfig breaker =
                new BreakerConfig(new Percent(50), Duration.ofSeconds(10), 20, Duration.ofSeconds(60), false);
        UpstreamResilience guarded = new UpstreamResilience(RetryBudgetConfig.DEFAULT, breaker, null, null);
        try (Running gateway = new Setup()
                        .upstream(five.upstream().withResilience(guarded))
                        .start();
                Crowd crowd = new Crowd(gateway, CLIENTS)) {
            Heard heard = crowd.get(50);
            // Requests in progress at the twentieth failure may fail as well.
            assertThat(heard.of("502 connect-refused")).as("of 500: %s", heard).isBetween(20, 20 + CLIENTS);
            assertThat(heard.of("503 circuit-open")).isEqualTo(500 - heard.of("502 connect-refused"));
            assertThat(gateway.pools().connectFailures()).isEqualTo(heard.of("502 connect-refused"));
        }
    }

    @Test
    void panicTriesEndpointsThatFailedTheirChecks() throws Exception {
        assertThat(whileChecksFindAllDead(BalanceConfig.DEFAULT).of("502 connect-refused"))
                .isEqualTo(200);
    }

    @Test
    void endpointsThatFailedTheirChecksAreNotTriedWithoutPanic() throws Exception {
        BalanceConfig calm = BalanceConfig.DEFAULT.withThresholds(new Percent(70), new Percent(0));
        assertThat(whileChecksFindAllDead(calm).of("503 no-endpoint")).isEqualTo(200);
    }

    private Heard whileChecksFindAllDead(BalanceConfig balance) throws Exception {
        five.dieAll();
        try (Running gateway = new Setup()
                        .upstream(five.upstream(balance).withHealth(CHECKS))
                        .start();
                Crowd crowd = new Crowd(gateway, CLIENTS)) {
            for (int i = 0; i < FiveOrigins.COUNT; i++) {
                int number = i;
                eventually(
                        () -> assertThat(five.state(gateway, number).health()).isEqualTo(Health.UNHEALTHY));
            }
            return crowd.get(20);
        }
    }
}
