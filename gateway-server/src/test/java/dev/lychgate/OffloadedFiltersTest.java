package dev.lychgate;

import static dev.lychgate.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.lychgate.chain.FilterSlot;
import dev.lychgate.config.FilterGuard;
import dev.lychgate.config.FiltersConfig;
import dev.lychgate.config.MatchConfig;
import dev.lychgate.config.RewriteConfig;
import dev.lychgate.config.RouteAction;
import dev.lychgate.config.RouteConfig;
import dev.lychgate.config.RouteTimeouts;
import dev.lychgate.testing.Pauses;
import dev.lychgate.testing.RawClient;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CyclicBarrier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/** A synchronous filter that waits on an event loop runs on virtual threads after its first strike. */
@Tag("slow")
@Tag("each-jdk")
class OffloadedFiltersTest {
    /** Longer than the watchdog grants the first run of a filter. */
    private static final String SLEEPER = "filter {\n    SLEEP\n}\n";

    private static final boolean VIRTUAL = Runtime.version().feature() >= 21;
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
    private final Logger logger = (Logger) LoggerFactory.getLogger("dev.lychgate");

    @TempDir
    Path home = Path.of("");

    @BeforeEach
    void listen() {
        lines.list = new CopyOnWriteArrayList<>();
        lines.start();
        logger.addAppender(lines);
    }

    @AfterEach
    void endListening() {
        logger.detachAppender(lines);
        System.getProperties().remove("filter.barrier");
        System.getProperties().remove("filter.sleep");
    }

    /** Starts a gateway with one event loop and a guard that acts on the first strike. */
    private Lychgate start(String script, boolean offload) throws Exception {
        return start("inbound/sleeper.groovy", script, offload);
    }

    private Lychgate start(String name, String script, boolean offload) throws Exception {
        Path file = home.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, script.replace("SLEEP", "((Runnable) System.properties['filter.sleep']).run()"));
        System.getProperties().put("filter.sleep", (Runnable) () -> Pauses.sleep(700));
        FilterGuard guard = new FilterGuard(FilterGuard.Action.EJECT, Duration.ofMillis(50), 1, offload);
        return Lychgate.builder()
                .listener("main", "127.0.0.1:0")
                .route(new RouteConfig(
                        "all",
                        0,
                        MatchConfig.ANY,
                        RewriteConfig.NONE,
                        new RouteAction.Respond(200, Map.of(), "hello"),
                        RouteTimeouts.UNSET))
                .filters(new FiltersConfig(home.toString(), List.of(), guard))
                .workers(1)
                .start();
    }

    private static RawClient client(Lychgate gateway) throws Exception {
        return RawClient.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), gateway.port("main")));
    }

    private static FilterSlot slot(Lychgate gateway) {
        return gateway.generation().filters().slots().get(0);
    }

    private static int get(Lychgate gateway, String path) throws Exception {
        try (RawClient client = client(gateway)) {
            return client.get(path).status();
        }
    }

    /** Sends a request, and again if the watchdog had no processor while the filter slept. */
    private static void awaitOffloaded(Lychgate gateway) throws Exception {
        eventually(PATIENCE, () -> {
            assertThat(get(gateway, "/")).isEqualTo(200);
            assertThat(slot(gateway).isOffloaded()).isTrue();
        });
    }

    /** Sends {@code count} requests at once, each on its own connection. */
    private static List<Integer> together(Lychgate gateway, int count, String path) throws Exception {
        List<RawClient> clients = new ArrayList<>();
        List<Integer> statuses = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            clients.add(client(gateway).send("GET " + path + " HTTP/1.1\r\nHost: a\r\n\r\n"));
        }
        for (RawClient client : clients) {
            statuses.add(client.readResponse().status());
            client.close();
        }
        return statuses;
    }

    @Test
    void offloadsAFilterThatSleepsAfterItsFirstStrikeWithoutLosingARequest() throws Exception {
        assumeTrue(VIRTUAL, "needs virtual threads");
        try (Lychgate gateway = start(SLEEPER, true)) {
            assertThat(together(gateway, 4, "/")).containsOnly(200);
            assertThat(together(gateway, 20, "/")).containsOnly(200);
            FilterSlot slot = slot(gateway);
            assertThat(slot.isOffloaded()).isTrue();
            assertThat(slot.isEjected()).isFalse();
            assertThat(slot.stats().strikes()).isEqualTo(1);
            assertThat(slot.stats().runs()).isEqualTo(24);
            assertThat(lines.list)
                    .extracting(ILoggingEvent::getFormattedMessage)
                    .anyMatch(line -> line.contains("inbound filter sleeper blocks event loop 0 for ")
                            && line.endsWith(
                                    "at sleeper.groovy:2; strike 1 of 1; it runs on virtual threads from now on"));
        }
    }

    @Test
    void runsOfOneEventLoopCanWaitForEachOtherOnceTheFilterIsOffloaded() throws Exception {
        assumeTrue(VIRTUAL, "needs virtual threads");
        System.getProperties().put("filter.barrier", new CyclicBarrier(2));
        String meeting = """
                import java.util.concurrent.CyclicBarrier

                filter {
                    if (it.request.path == '/meet') {
                        ((CyclicBarrier) System.properties['filter.barrier']).await()
                    } else {
                        SLEEP
                    }
                    it.request.headers['x-met'] = 'yes'
                }
                """;
        try (Lychgate gateway = start(meeting, true)) {
            awaitOffloaded(gateway);
            assertThat(together(gateway, 2, "/meet")).containsExactly(200, 200);
        }
    }

    @Test
    void keepsAFilterWhoseFirstRunExceedsTheStallLimit() throws Exception {
        assumeTrue(VIRTUAL, "needs virtual threads");
        try (Lychgate gateway = start("filter { SLEEP; SLEEP; SLEEP; SLEEP }", true)) {
            assertThat(get(gateway, "/")).isEqualTo(200);
            assertThat(slot(gateway).isOffloaded()).isTrue();
            assertThat(slot(gateway).isEjected()).isFalse();
        }
    }

    @Test
    void eachGenerationStartsOnTheEventLoop() throws Exception {
        assumeTrue(VIRTUAL, "needs virtual threads");
        try (Lychgate gateway = start(SLEEPER, true)) {
            awaitOffloaded(gateway);
            gateway.apply(gateway.generation().config());
            assertThat(slot(gateway).isOffloaded()).isFalse();
            awaitOffloaded(gateway);
        }
    }

    private static void assertEjected(Lychgate gateway) throws Exception {
        eventually(PATIENCE, () -> assertThat(get(gateway, "/")).isEqualTo(500));
        assertThat(slot(gateway).isEjected()).isTrue();
        assertThat(slot(gateway).isOffloaded()).isFalse();
    }

    @Test
    void ejectsAFilterThatSleepsWithoutVirtualThreads() throws Exception {
        assumeTrue(!VIRTUAL, "has virtual threads");
        try (Lychgate gateway = start(SLEEPER, true)) {
            assertEjected(gateway);
        }
    }

    @Test
    void theConfigurationPreventsIt() throws Exception {
        try (Lychgate gateway = start(SLEEPER, false)) {
            assertEjected(gateway);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                // The filter refuses.
                "offload false\nfilter { SLEEP }",
                // The condition always runs on the event loop.
                "applies { SLEEP; true }\nfilter { }",
                // A filter that computes would occupy a processor elsewhere.
                "filter { long end = System.nanoTime() + 700_000_000L; while (System.nanoTime() < end) { } }",
            })
    void ejectsAFilterThatItCannotOffload(String script) throws Exception {
        try (Lychgate gateway = start(script, true)) {
            assertEjected(gateway);
        }
    }

    @Test
    void ejectsAFilterWhoseBodyTransformWaits() throws Exception {
        String script = "filter { it.response.transformBody { piece -> SLEEP; piece } }";
        try (Lychgate gateway = start("outbound/transforms.groovy", script, true)) {
            eventually(PATIENCE, () -> {
                assertThat(get(gateway, "/")).isEqualTo(200);
                assertThat(slot(gateway).isEjected()).isTrue();
            });
            assertThat(slot(gateway).isOffloaded()).isFalse();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"boolean hasMore() { SLEEP; false }", "byte[] end() {\nSLEEP\nnew byte[0] }"})
    void namesTheLineOfATransformInAClassOfItsOwn(String method) throws Exception {
        String script = """
                import dev.lychgate.filter.BodyTransform

                filter { it.response.transformBody(new Waiting()) }

                class Waiting implements BodyTransform {
                    byte[] piece(byte[] piece) { piece }

                    METHOD
                }
                """.replace("METHOD", method);
        int line = method.startsWith("boolean") ? 8 : 9;
        try (Lychgate gateway = start("outbound/transforms.groovy", script, true)) {
            eventually(PATIENCE, () -> {
                assertThat(get(gateway, "/")).isEqualTo(200);
                assertThat(slot(gateway).isEjected()).isTrue();
            });
            assertThat(lines.list)
                    .extracting(ILoggingEvent::getFormattedMessage)
                    .anyMatch(text -> text.contains("outbound filter transforms blocks event loop 0 for ")
                            && text.contains(" at transforms.groovy:" + line + "; strike 1 of 1"));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1 << 20})
    void endsATransformThatAlwaysHasMore(int bytes) throws Exception {
        String script = """
                import dev.lychgate.filter.BodyTransform

                filter { if (it.request.path == '/spin') it.response.transformBody(new Endless()) }

                class Endless implements BodyTransform {
                    byte[] piece(byte[] piece) { piece }

                    boolean hasMore() { true }

                    byte[] more() { new byte[BYTES] }
                }
                """.replace("BYTES", "" + bytes);
        try (Lychgate gateway = start("outbound/endless.groovy", script, true)) {
            assertThat(get(gateway, "/spin")).isEqualTo(bytes == 0 ? 500 : 503);
            assertThat(get(gateway, "/")).isEqualTo(200);
            if (bytes == 0) {
                assertThat(lines.list)
                        .extracting(ILoggingEvent::getFormattedMessage)
                        .anyMatch(text -> text.contains("filter endless failed in its body transform"));
            }
        }
    }
}
