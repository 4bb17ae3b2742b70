package dev.lychgate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.lychgate.config.AccessLogConfig;
import dev.lychgate.config.ConfigException;
import dev.lychgate.config.GatewayConfig;
import dev.lychgate.config.MatchConfig;
import dev.lychgate.config.RewriteConfig;
import dev.lychgate.config.RouteAction;
import dev.lychgate.config.RouteConfig;
import dev.lychgate.config.RouteTimeouts;
import dev.lychgate.config.Transport;
import dev.lychgate.filter.Filter;
import dev.lychgate.filter.FilterPhase;
import dev.lychgate.gateway.StartFailure;
import dev.lychgate.listener.BindFailure;
import dev.lychgate.loop.Headroom;
import dev.lychgate.server.metrics.PrometheusText;
import dev.lychgate.testing.Eventually;
import dev.lychgate.testing.Gate;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.RawMessage;
import dev.lychgate.testing.Responses;
import dev.lychgate.testing.ScriptedOrigin;
import dev.lychgate.testing.TestFilter;
import dev.lychgate.testing.UnusedPort;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

@Tag("slow")
@Tag("each-jdk")
class LychgateTest {
    @Test
    void matchesOptionsOfTheWholeServerOnlyToRoutesWithoutAPath() throws Exception {
        String options = "OPTIONS * HTTP/1.1\r\nHost: lychgate.test\r\n\r\n";
        RouteAction response = new RouteAction.Respond(204, Map.of(), null);
        RouteConfig paths =
                new RouteConfig("paths", 0, MatchConfig.path("/**"), RewriteConfig.NONE, response, RouteTimeouts.UNSET);
        RouteConfig anything =
                new RouteConfig("anything", 0, MatchConfig.ANY, RewriteConfig.NONE, response, RouteTimeouts.UNSET);

        try (Lychgate gateway = Lychgate.builder()
                        .listener("main", "127.0.0.1:0")
                        .route(paths)
                        .start();
                RawClient client = connect(gateway.port("main"))) {
            assertThat(client.send(options).readResponse().status()).isEqualTo(404);
        }
        try (Lychgate gateway = Lychgate.builder()
                        .listener("main", "127.0.0.1:0")
                        .route(paths)
                        .route(anything)
                        .start();
                RawClient client = connect(gateway.port("main"))) {
            assertThat(client.send(options).readResponse().status()).isEqualTo(204);
        }
    }

    /** One refused connection is harmless: only continuous refusals make the gateway not ready. */
    @Test
    void isNotReadyWhileMemoryIsContinuouslyRefused() throws Exception {
        org.slf4j.Logger log = LoggerFactory.getLogger(LychgateTest.class);
        OutOfMemoryError refusal = new OutOfMemoryError("refused by a test");
        try (ScriptedOrigin origin = ScriptedOrigin.start();
                Lychgate gateway = to(origin).admin("127.0.0.1:0").start();
                RawClient client = connect(gateway.adminPort())) {
            Headroom.isRefusal(refusal, log);
            assertThat(ready(client).status()).isEqualTo(200);
            Eventually.eventually(Duration.ofSeconds(30), () -> {
                Headroom.isRefusal(refusal, log);
                RawMessage response = ready(client);
                assertThat(response.status()).isEqualTo(503);
                assertThat(response.body()).contains("\"detail\":\"memory\"");
            });
            Eventually.eventually(() -> assertThat(ready(client).status()).isEqualTo(200));
        }
    }

    private static RawMessage ready(RawClient client) throws Exception {
        return client.send("GET /ready HTTP/1.1\r\nHost: localhost\r\n\r\n").readResponse();
    }

    @Test
    void showsItsStateAndItsMetricsOnTheAdminListener() throws Exception {
        RouteConfig old = new RouteConfig(
                "old",
                5,
                MatchConfig.path("/old"),
                RewriteConfig.NONE,
                new RouteAction.Redirect(301, "/new"),
                RouteTimeouts.UNSET);
        RouteConfig teapot = new RouteConfig(
                "teapot",
                0,
                MatchConfig.path("/tea"),
                RewriteConfig.NONE,
                new RouteAction.Respond(418, Map.of(), null),
                RouteTimeouts.UNSET);
        try (ScriptedOrigin origin = ScriptedOrigin.answering((request, c) -> c.send(Responses.ok("hello")));
                Lychgate gateway = to(origin)
                        .route(old)
                        .route(teapot)
                        .workers(1)
                        .admin("127.0.0.1:0")
                        .start();
                RawClient client = connect(gateway.port("main"));
                RawClient admin = connect(gateway.adminPort())) {
            // The first request loads the pages.
            assertThat(get(admin, "/ready").status()).isEqualTo(200);
            client.get("/api/1");
            client.get("/api/2");

            // The first page after the requests, because their connection to the origin is closed after some seconds.
            assertThat(get(admin, "/upstreams").body())
                    .isEqualTo(
                            "{\"generation\":1,\"seconds\":0.0,\"upstreams\":[{\"name\":\"origin\",\"algorithm\":\"least-requests\","
                                    + "\"panic\":false,\"endpoints\":["
                                    + "{\"endpoint\":\"127.0.0.1:" + origin.port() + "\",\"weight\":1,\"zone\":\"\","
                                    + "\"priority\":0,\"admin\":\"enabled\",\"health\":\"unknown\",\"ejected\":false,\"share\":1.0,"
                                    + "\"rate\":0.0,\"error_rate\":0.0,"
                                    + "\"idle\":1,\"busy\":0,"
                                    + "\"connecting\":0,\"pending\":0,\"opened\":1,\"reused\":1,\"connect_failures\":0,\"reclaimed\":0,"
                                    + "\"closed\":{\"idle\":0,\"lifetime\":0,\"requests\":0,\"origin-closed\":0,"
                                    + "\"not-reusable\":0,\"contended\":0,\"upgraded\":0,\"retired\":0}}],"
                                    + "\"protection\":{\"under_way\":0,\"breakers\":[],\"retry_budget_left\":3}}]}\n");
            assertThat(get(admin, "/generation").body())
                    .startsWith("{\"number\":1,\"since\":\"")
                    .endsWith("\",\"routes\":3,\"upstreams\":1,\"endpoints\":1,\"filters\":0}\n");
            assertThat(get(admin, "/routes").body())
                    .isEqualTo(
                            "{\"generation\":1,\"routes\":["
                                    + "{\"id\":\"api\",\"order\":0,\"predicates\":[\"path: /api/**\"],"
                                    + "\"action\":{\"type\":\"proxy\",\"upstream\":\"origin\"},\"filters\":[]},"
                                    + "{\"id\":\"old\",\"order\":5,\"predicates\":[\"path: /old\"],"
                                    + "\"action\":{\"type\":\"redirect\",\"status\":301,\"location\":\"/new\"},\"filters\":[]},"
                                    + "{\"id\":\"teapot\",\"order\":0,\"predicates\":[\"path: /tea\"],"
                                    + "\"action\":{\"type\":\"respond\",\"status\":418},\"filters\":[]}],\"no_route\":{\"filters\":[]}}\n");
            PrometheusText metrics = PrometheusText.read(get(admin, "/metrics").body());
            assertThat(metrics.value(
                            "lychgate_requests_total",
                            "route",
                            "api",
                            "status",
                            "2xx",
                            "error",
                            "none",
                            "side",
                            "none"))
                    .isEqualTo(2);
            assertThat(metrics.value("lychgate_observer_failures_total")).isZero();
        }
    }

    @Test
    void logsEachListenerInOneLine() throws Exception {
        Logger logger = (Logger) LoggerFactory.getLogger(Lychgate.class);
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        lines.start();
        logger.setLevel(Level.INFO);
        logger.addAppender(lines);
        Logger ofAdmin = (Logger) LoggerFactory.getLogger(AdminListener.class);
        ofAdmin.setLevel(Level.INFO);
        ofAdmin.addAppender(lines);
        try (ScriptedOrigin origin = ScriptedOrigin.start();
                Lychgate gateway = to(origin)
                        .listener("second", "127.0.0.1:0")
                        .workers(2)
                        .transport(Transport.NIO)
                        .admin("127.0.0.1:0")
                        .start()) {
            assertThat(lines.list)
                    .extracting(ILoggingEvent::getFormattedMessage)
                    .filteredOn(line -> !line.startsWith("buffers: at most "))
                    .containsExactly(
                            "listening on http://127.0.0.1:" + gateway.port("main") + " (main, nio, 2 loops)",
                            "listening on http://127.0.0.1:" + gateway.port("second") + " (second, nio, 2 loops)",
                            "admin listener on http://127.0.0.1:" + gateway.adminPort());
            assertThat(lines.list)
                    .extracting(ILoggingEvent::getFormattedMessage)
                    .filteredOn(line -> line.startsWith("buffers: at most "))
                    .singleElement()
                    .asString()
                    .matches(
                            "buffers: at most [1-9]\\d* MiB of direct memory; "
                                    + "(Netty counts the memory before each allocation( by malloc)?|the JVM counts the memory, .*)");
            assertThat(lines.list).hasSize(4);
        } finally {
            logger.detachAppender(lines);
            ofAdmin.detachAppender(lines);
            logger.setLevel(null);
        }
    }

    @Test
    void finishesExchangesAndWritesTheWholeLogWhenItDrains(@TempDir Path directory) throws Exception {
        Gate gate = new Gate();
        Path file = directory.resolve("access.log");
        try (ScriptedOrigin origin = ScriptedOrigin.answering((request, c) -> {
                    gate.await();
                    c.send(Responses.ok("late"));
                });
                Lychgate gateway = to(origin)
                        .admin("127.0.0.1:0")
                        .accessLog(new AccessLogConfig(AccessLogConfig.Format.COMBINED, file.toString(), 1024))
                        .start();
                RawClient client = connect(gateway.port("main"));
                RawClient admin = connect(gateway.adminPort())) {
            client.send("GET /api/slow HTTP/1.1\r\nHost: a\r\n\r\n");
            origin.awaitRequests(1);
            CompletableFuture<Integer> cut = CompletableFuture.supplyAsync(() -> gateway.drain(Duration.ofSeconds(20)));
            RawMessage ready = get(admin, "/ready");
            while (ready.status() == 200) {
                ready = get(admin, "/ready");
            }
            assertThat(ready.body()).contains("\"detail\":\"draining\"");
            gate.open();
            assertThat(client.readResponse().body()).isEqualTo("late");
            assertThat(cut.get()).isZero();
            assertThat(gateway.drain(Duration.ZERO)).isZero();
        }
        assertThat(file).content().containsPattern("\"GET /api/slow HTTP/1\\.1\" 200 4 \"-\" \"-\"");
    }

    @Test
    void countsAbortedExchangesAfterTheDrainTimeout() throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.start().onConnection(c -> c.stall());
                Lychgate gateway = to(origin).start();
                RawClient client = connect(gateway.port("main"))) {
            client.send("GET /api/never HTTP/1.1\r\nHost: a\r\n\r\n");
            origin.awaitConnections(1);
            assertThat(gateway.drain(Duration.ofMillis(200))).isEqualTo(1);
        }
    }

    @Test
    void appliesOtherRoutesAndRefusesChangesThatNeedARestart() throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.answering((request, c) -> c.send(Responses.ok("hello")))) {
            LychgateBuilder builder = to(origin).workers(1);
            try (Lychgate gateway = builder.start();
                    RawClient client = connect(gateway.port("main"))) {
                assertThat(client.get("/more").status()).isEqualTo(404);
                GatewayConfig more = builder.route("more", "/more", "origin").config();
                assertThat(gateway.apply(more).number()).isEqualTo(2);
                assertThat(client.get("/more").status()).isEqualTo(200);
                assertThatThrownBy(() -> gateway.apply(builder.workers(2).config()))
                        .isInstanceOf(ConfigException.class)
                        .hasMessage("workers: 2 (expected: the value at start: 1; restart the gateway to change it)");
                assertThat(gateway.gateway().generation().number()).isEqualTo(2);
                assertThatThrownBy(gateway::adminPort).isInstanceOf(IllegalStateException.class);
            }
        }
    }

    @Test
    void respondsIfAFilterThrowsAnErrorOfTheJvm() throws Exception {
        AtomicInteger calls = new AtomicInteger();
        Filter broken = TestFilter.of("broken", FilterPhase.INBOUND, exchange -> {
            if (calls.getAndIncrement() == 0) {
                throw new InternalError("on purpose");
            }
            return exchange.proceed();
        });
        try (ScriptedOrigin origin = ScriptedOrigin.answering((request, c) -> c.send(Responses.ok("hello")));
                Lychgate gateway = to(origin).filter(broken).start();
                RawClient client = connect(gateway.port("main"))) {
            assertThat(client.get("/api/x").status()).isEqualTo(500);
            assertThat(client.get("/api/x").status()).isEqualTo(200);
        }
    }

    @Test
    void releasesEverythingAfterAFailedStart() throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.start();
                Lychgate first = to(origin).admin("127.0.0.1:0").start()) {
            String taken = "127.0.0.1:" + first.port("main");
            String adminTaken = "127.0.0.1:" + first.adminPort();
            String free = "127.0.0.1:" + UnusedPort.number();
            assertThatThrownBy(() -> Lychgate.builder()
                            .listener("main", taken)
                            .admin(free)
                            .start())
                    .isInstanceOf(BindFailure.class);
            assertThatThrownBy(() -> to(origin).admin(adminTaken).start()).isInstanceOf(StartFailure.class);
            // The first failure released the admin port.
            to(origin).admin(free).start().close();
        }
    }

    @Test
    void namesTheKeyOfABadAddressOrUrl() {
        assertThatThrownBy(() -> Lychgate.builder().upstream("api", "ftp://a"))
                .hasMessage("upstreams.api.endpoints: ftp://a (expected: a URL that begins with http:// or https://)");
        assertThatThrownBy(() -> Lychgate.builder().listener("main", "8080"))
                .hasMessageStartingWith("listeners.main.address: 8080 (expected: ");
        assertThatThrownBy(() -> Lychgate.builder().admin("admin.example:1"))
                .hasMessageStartingWith("admin.address: admin.example:1 (expected: ");
    }

    private static LychgateBuilder to(ScriptedOrigin origin) {
        return Lychgate.builder()
                .listener("main", "127.0.0.1:0")
                .upstream("origin", "http://127.0.0.1:" + origin.port())
                .route("api", "/api/**", "origin");
    }

    private static RawClient connect(int port) throws Exception {
        return RawClient.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    }

    private static RawMessage get(RawClient client, String target) throws Exception {
        return client.send("GET " + target + " HTTP/1.1\r\nHost: localhost\r\n\r\n")
                .readResponse();
    }
}
