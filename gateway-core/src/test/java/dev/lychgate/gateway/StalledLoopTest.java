package dev.lychgate.gateway;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.lychgate.chain.FilterSet;
import dev.lychgate.config.GatewayConfig;
import dev.lychgate.config.LifecycleConfig;
import dev.lychgate.config.RouteAction;
import dev.lychgate.config.SocketOptions;
import dev.lychgate.config.StallConfig;
import dev.lychgate.config.Transport;
import dev.lychgate.filter.FilterExchange;
import dev.lychgate.filter.FilterOutcome;
import dev.lychgate.filter.FilterPhase;
import dev.lychgate.filter.SyncFilter;
import dev.lychgate.testing.Eventually;
import dev.lychgate.testing.RawClient;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.internal.ThreadExecutorMap;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/**
 * An event loop that a filter occupies permanently: other loops take over its work as far as possible, and the gateway reports
 * that it is broken.
 */
@Tag("slow")
@Tag("each-jdk")
class StalledLoopTest {
    private static final Duration AFTER = Duration.ofMillis(300);
    private static final StallConfig PATIENT = new StallConfig(AFTER, AFTER, Duration.ZERO);
    /** For tests of the other loop, which must not seem to be stalled when the machine is busy. */
    private static final StallConfig LATER =
            new StallConfig(Duration.ofSeconds(1), Duration.ofSeconds(1), Duration.ZERO);

    private final ListAppender<ILoggingEvent> log = new ListAppender<>();
    private final Logger logger = (Logger) LoggerFactory.getLogger(StallWatch.class);
    private volatile boolean spinning = true;
    private volatile @Nullable EventExecutor spun;

    /** Occupies the loop of each request to {@code /spin}, until the test ends it. */
    private final class Spinner implements SyncFilter {
        @Override
        public String name() {
            return "spinner";
        }

        @Override
        public FilterPhase phase() {
            return FilterPhase.INBOUND;
        }

        @Override
        public boolean applies(FilterExchange exchange) {
            return exchange.getRequest().getPath().equals("/spin");
        }

        @Override
        public FilterOutcome filter(FilterExchange exchange) {
            long turns = 0;
            spun = ThreadExecutorMap.currentExecutor();
            while (spinning) {
                turns++;
            }
            assertThat(turns).isPositive();
            return FilterOutcome.proceed();
        }
    }

    @BeforeEach
    void listen() {
        log.list = new CopyOnWriteArrayList<>();
        log.start();
        logger.addAppender(log);
    }

    @AfterEach
    void letGo() {
        spinning = false;
        logger.detachAppender(log);
    }

    private Running start(int workers, Transport transport, SocketOptions socket, StallConfig stall) {
        GatewayConfig config = new Setup()
                .workers(workers)
                .transport(transport)
                .socket(socket)
                .route("all", "/**", new RouteAction.Respond(200, Map.of(), "served"))
                .config()
                .withLifecycle(new LifecycleConfig(stall, LifecycleConfig.Watch.ON));
        return Running.start(config, FilterSet.of(new Spinner()));
    }

    private Running start(int workers, StallConfig stall) {
        return start(workers, Transport.AUTO, SocketOptions.DEFAULT, stall);
    }

    private static RawClient spin(Running gateway) throws Exception {
        return gateway.client().send("GET /spin HTTP/1.1\r\nHost: a\r\n\r\n");
    }

    private static void awaitStalled(Running gateway, int loops) throws Exception {
        Eventually.eventually(() -> assertThat(gateway.gateway().stalledLoops()).isEqualTo(loops));
    }

    private static void assertServesNewConnections(Running gateway, int many) throws Exception {
        for (int i = 0; i < many; i++) {
            try (RawClient client = gateway.client()) {
                assertThat(client.get("/").body()).isEqualTo("served");
            }
        }
    }

    /** The first and the second connection are on different loops, and one of these accepts for both. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void newConnectionsAreServedByTheOtherLoopWhicheverStandsStill(int before) throws Exception {
        List<RawClient> earlier = new ArrayList<>();
        try (Running gateway = start(2, LATER)) {
            for (int i = 0; i < before; i++) {
                RawClient client = gateway.client();
                client.get("/");
                earlier.add(client);
            }
            RawClient stuck = spin(gateway);
            awaitStalled(gateway, 1);
            Eventually.eventually(() -> assertServesNewConnections(gateway, 1));
            assertServesNewConnections(gateway, 20);

            spinning = false;
            assertThat(stuck.readResponse().body()).isEqualTo("served");
            awaitStalled(gateway, 0);
            assertThat(gateway.gateway().notReady()).isNull();
            assertServesNewConnections(gateway, 20);
            stuck.close();
        } finally {
            spinning = false;
            for (RawClient client : earlier) {
                client.close();
            }
        }
    }

    @Test
    void aLoopWithASocketOfItsOwnGetsItBackWhenItMakesProgress() throws Exception {
        SocketOptions own = reusePort();
        List<RawClient> open = new ArrayList<>();
        try (Running gateway = start(2, Transport.EPOLL, own, LATER)) {
            RawClient stuck = spin(gateway);
            awaitStalled(gateway, 1);
            Eventually.eventually(() -> assertServesNewConnections(gateway, 10));
            assertServesNewConnections(gateway, 20);

            spinning = false;
            stuck.readResponse();
            stuck.close();
            awaitStalled(gateway, 0);
            Eventually.eventually(() -> {
                RawClient client = gateway.client();
                open.add(client);
                client.get("/");
                assertThat(gateway.gateway().listeners().get(0).openByLoop()).hasSize(2);
            });
        } finally {
            spinning = false;
            for (RawClient client : open) {
                client.close();
            }
        }
    }

    private static SocketOptions reusePort() {
        SocketOptions d = SocketOptions.DEFAULT;
        return new SocketOptions(
                d.backlog(), true, d.receiveBuffer(), d.sendBuffer(), d.lowWatermark(), d.highWatermark());
    }

    @Test
    void theGatewayIsNotReadyAndThenBroken() throws Exception {
        Duration exit = Duration.ofSeconds(1);
        try (Running gateway = start(1, new StallConfig(AFTER, AFTER.multipliedBy(2), exit))) {
            assertThat(gateway.gateway().notReady()).isNull();
            RawClient stuck = spin(gateway);
            Eventually.eventually(() -> assertThat(gateway.gateway().notReady()).isEqualTo("loop-stalled"));
            gateway.gateway().broken().get(10, TimeUnit.SECONDS);
            assertThat(log.list)
                    .extracting(ILoggingEvent::getFormattedMessage)
                    .anySatisfy(line -> assertThat(line)
                            .matches(
                                    "event loop 0 has made no progress for \\d s; it has run inbound filter spinner for \\d+ ms and"
                                            + " is at StalledLoopTest\\.java:\\d+; no new connection is served; the process"
                                            + " exits when the stall has lasted 1s"));
            stuck.close();
        }
    }

    @Test
    void theFilterThatHoldsItIsEjected() throws Exception {
        try (Running gateway = start(2, LATER)) {
            RawClient stuck = spin(gateway);
            awaitStalled(gateway, 1);
            Eventually.eventually(() -> {
                try (RawClient client = gateway.client()) {
                    assertThat(client.get("/").body()).isEqualTo("served");
                }
                assertThat(gateway.gateway()
                                .generation()
                                .filters()
                                .slots()
                                .get(0)
                                .isEjected())
                        .isTrue();
            });
            try (RawClient client = gateway.client()) {
                assertThat(client.get("/spin").status()).isEqualTo(500);
            }
            stuck.close();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void aDrainWaitsForNothingThatLivesOnIt(int workers) throws Exception {
        try (Running gateway = start(workers, PATIENT)) {
            RawClient stuck = spin(gateway);
            awaitStalled(gateway, 1);
            CompletableFuture<Integer> cut = CompletableFuture.supplyAsync(() -> gateway.drain(Duration.ofMinutes(10)));
            assertThat(cut.get(60, TimeUnit.SECONDS)).isOne();
            stuck.close();
        }
    }

    @Test
    void closingAwaitsALoopThatHasJustRecovered() throws Exception {
        try (Running gateway = start(1, PATIENT)) {
            RawClient stuck = spin(gateway);
            awaitStalled(gateway, 1);
            spinning = false;
            gateway.gateway().close();
            EventExecutor loop = requireNonNull(spun);
            assertThat(loop.isTerminated()).isTrue();
            stuck.close();
        }
    }

    @Test
    void thePoolsOfTheOtherLoopsAreNotified() throws Exception {
        try (Running gateway = start(2, PATIENT)) {
            RawClient stuck = spin(gateway);
            awaitStalled(gateway, 1);
            assertThat(gateway.gateway().poolCounters().get(10, TimeUnit.SECONDS))
                    .isEmpty();
            stuck.close();
        }
    }
}
