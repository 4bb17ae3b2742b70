package dev.lychgate.gateway;

import static dev.lychgate.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.lychgate.config.BulkheadConfig;
import dev.lychgate.config.EndpointConfig;
import dev.lychgate.config.OverloadConfig;
import dev.lychgate.config.Percent;
import dev.lychgate.config.RateLimitConfig;
import dev.lychgate.config.RetryBudgetConfig;
import dev.lychgate.config.UpstreamConfig;
import dev.lychgate.config.UpstreamResilience;
import dev.lychgate.testing.Gate;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.Responses;
import dev.lychgate.testing.ScriptedOrigin;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** The log lines about the rungs of an upstream with one place. */
@Tag("slow")
class LadderWatchTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final ListAppender<ILoggingEvent> log = new ListAppender<>();
    private final Logger logger = (Logger) LoggerFactory.getLogger(LadderWatch.class);
    private final Gate gate = new Gate();
    private final ScriptedOrigin origin = ScriptedOrigin.answering((r, c) -> {
        gate.await(Duration.ofMinutes(1));
        c.send(Responses.ok("x"));
    });

    @BeforeEach
    void capture() {
        log.start();
        logger.addAppender(log);
        logger.setLevel(Level.INFO);
    }

    @AfterEach
    void stop() throws Exception {
        logger.detachAppender(log);
        logger.setLevel(null);
        gate.open();
        origin.close();
    }

    private static OverloadConfig overload(Duration brownout) {
        return new OverloadConfig(
                Duration.ofMinutes(1),
                new Percent(99),
                new Percent(99),
                new Percent(0),
                null,
                brownout,
                null,
                null,
                Duration.ofSeconds(2));
    }

    private Setup setup() {
        return new Setup()
                .upstream(UpstreamConfig.of("origin", new EndpointConfig("127.0.0.1", origin.port()))
                        .withResilience(
                                new UpstreamResilience(RetryBudgetConfig.DEFAULT, null, new BulkheadConfig(1), null)));
    }

    private void occupy(RawClient client) throws Exception {
        client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
        origin.awaitRequests(1);
    }

    private List<String> lines() {
        return List.copyOf(log.list).stream()
                .map(line -> line.getLevel() + " " + line.getFormattedMessage())
                .map(line -> line.replaceAll("shed=[1-9]\\d*", "shed=N"))
                .toList();
    }

    @Test
    void eachRungThatIsReachedOrLeftIsOneLine() throws Exception {
        try (Running gateway =
                        setup().overload(overload(Duration.ofMillis(2500))).start();
                RawClient busy = gateway.client();
                RawClient client = gateway.client()) {
            occupy(busy);
            eventually(PATIENCE, () -> {
                assertThat(client.get("/").status()).isEqualTo(503);
                assertThat(lines())
                        .containsExactly(
                                "WARN overload rung raised: upstream=origin, rung=shed, before=normal, "
                                        + "reason=bulkhead-full, shed=N, limited=0; requests with low priority are shed",
                                "WARN overload rung raised: upstream=origin, rung=brownout, before=shed, "
                                        + "reason=bulkhead-full, shed=N, limited=0; a brown-out is signaled to filters");
            });
            eventually(
                    PATIENCE,
                    () -> assertThat(lines().subList(2, lines().size()))
                            .containsExactly(
                                    "INFO overload rung lowered: upstream=origin, rung=shed, before=brownout, "
                                            + "reason=bulkhead-full, shed=N, limited=0; requests with low priority are shed",
                                    "INFO overload rung lowered: upstream=origin, rung=normal, before=shed, "
                                            + "reason=none, shed=N, limited=0; no request is refused"));
        }
    }

    @Test
    void aRateLimitIsNoReasonForAWarning() throws Exception {
        gate.open();
        Setup setup = setup().overload(overload(Duration.ofMinutes(1)))
                .rateLimit("slow", RateLimitConfig.of("1/h"))
                .limited("api", "/**", "slow");
        try (Running gateway = setup.start();
                RawClient client = gateway.client()) {
            assertThat(client.get("/").status()).isEqualTo(200);
            assertThat(client.get("/").status()).isEqualTo(429);
            eventually(() -> assertThat(lines())
                    .contains("INFO overload rung raised: upstream=origin, rung=limit, before=normal, "
                            + "reason=rate-limited, shed=0, limited=1; rate limits refuse requests"));
        }
    }

    @Test
    void aReloadBeginsAndEndsTheWatch() throws Exception {
        try (Running gateway = setup().start();
                RawClient busy = gateway.client();
                RawClient client = gateway.client()) {
            occupy(busy);
            assertThat(client.get("/").status()).isEqualTo(503);
            gateway.gateway()
                    .apply(gateway.gateway().generation().config().withOverload(overload(Duration.ofMinutes(1))));
            eventually(() -> {
                assertThat(client.get("/").status()).isEqualTo(503);
                assertThat(lines()).hasSize(1);
            });
            gateway.gateway().apply(gateway.gateway().generation().config().withOverload(null));
            // The rung would be left after two seconds.
            Thread.sleep(3500);
            assertThat(lines()).hasSize(1);
            assertThat(log.list.get(0).getLevel()).isEqualTo(Level.WARN);
            assertThat(log.list.get(0).getThreadName()).isEqualTo("lychgate-watchdog");
        }
    }
}
