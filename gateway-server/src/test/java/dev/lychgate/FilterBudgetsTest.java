package dev.lychgate;

import static dev.lychgate.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.lychgate.chain.BudgetMeter;
import dev.lychgate.chain.FilterSlot;
import dev.lychgate.config.FilterBudget;
import dev.lychgate.config.FilterGuard;
import dev.lychgate.config.FiltersConfig;
import dev.lychgate.config.GatewayConfig;
import dev.lychgate.config.LifecycleConfig;
import dev.lychgate.config.MatchConfig;
import dev.lychgate.config.RewriteConfig;
import dev.lychgate.config.RouteAction;
import dev.lychgate.config.RouteConfig;
import dev.lychgate.config.RouteTimeouts;
import dev.lychgate.config.StallConfig;
import dev.lychgate.server.metrics.PrometheusText;
import dev.lychgate.testing.Pauses;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.RawMessage;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.LoggerFactory;

/** Filters have bounds, and one that exceeds them is named and handled as it declares. */
@Tag("slow")
@Tag("each-jdk")
class FilterBudgetsTest {
    private static final Path PAGE = Path.of("../docs/filter-budgets.md");
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    /** A filter in which the machine pauses the event loop is not ejected. */
    private static final StallConfig NO_STALL =
            new StallConfig(Duration.ofMinutes(5), Duration.ofMinutes(5), Duration.ZERO);

    private static final String SPINS = """
            filter {
                long end = System.nanoTime() + 2_000_000L
                int turns = 0
                while (System.nanoTime() < end) {
                    turns++
                }
                it.request.headers['x-turns'] = turns
            }
            """;
    /** The arrays escape, so that the compiler cannot remove their allocation. */
    private static final String ALLOCATES = """
            filter {
                def all = []
                for (int i = 0; i < 64; i++) {
                    all << new byte[16384]
                }
                it['kept'] = all
            }
            """;

    private static final String SLEEPS = "filter {\n    ((Runnable) System.properties['filter.sleep']).run()\n}\n";

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
        System.getProperties().remove("filter.gate");
        System.getProperties().remove("filter.sleep");
    }

    private Lychgate start(String script, FilterGuard guard, FilterBudget inherited) throws Exception {
        Path file = home.resolve("inbound/offender.groovy");
        Files.createDirectories(file.getParent());
        Files.writeString(file, script);
        FiltersConfig defaults = FiltersConfig.DEFAULT;
        GatewayConfig config = Lychgate.builder()
                .listener("main", "127.0.0.1:0")
                .route(new RouteConfig(
                        "all",
                        0,
                        MatchConfig.ANY,
                        RewriteConfig.NONE,
                        new RouteAction.Respond(200, Map.of(), "hello"),
                        RouteTimeouts.UNSET))
                .filters(new FiltersConfig(
                        home.toString(),
                        null,
                        List.of(),
                        guard,
                        inherited,
                        defaults.trace(),
                        defaults.buildTimeout(),
                        Map.of(),
                        List.of()))
                .admin("127.0.0.1:0")
                .workers(1)
                .config();
        return Lychgate.start(config.withLifecycle(new LifecycleConfig(NO_STALL, LifecycleConfig.DEFAULT.watch())));
    }

    private Lychgate start(String script, FilterBudget inherited) throws Exception {
        return start(script, FiltersConfig.DEFAULT.guard(), inherited);
    }

    private Lychgate start(String script) throws Exception {
        return start(script, FilterBudget.INHERITED);
    }

    private static RawClient client(Lychgate gateway) throws Exception {
        return RawClient.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), gateway.port("main")));
    }

    private static FilterSlot slot(Lychgate gateway) {
        return gateway.generation().filters().slots().get(0);
    }

    private static BudgetMeter budget(Lychgate gateway) {
        return Objects.requireNonNull(slot(gateway).budget());
    }

    /**
     * Sends requests one after the other until {@code over}.
     *
     * @return the statuses, each once
     */
    private static List<Integer> load(Lychgate gateway, BooleanSupplier over) throws Exception {
        List<Integer> statuses = new CopyOnWriteArrayList<>();
        long end = System.nanoTime() + PATIENCE.toNanos();
        try (RawClient client = client(gateway)) {
            while (!over.getAsBoolean() && System.nanoTime() < end) {
                int status = client.get("/").status();
                if (!statuses.contains(status)) {
                    statuses.add(status);
                }
            }
        }
        assertThat(over.getAsBoolean()).isTrue();
        return statuses;
    }

    /** Waits for the line: the state that a test has seen may be set just before it is logged. */
    private void assertLogged(String pattern) throws Exception {
        eventually(() -> assertThat(List.copyOf(lines.list))
                .extracting(ILoggingEvent::getFormattedMessage)
                .anyMatch(line -> line.matches(pattern)));
    }

    private static String admin(Lychgate gateway, String path) throws Exception {
        try (RawClient client =
                RawClient.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), gateway.adminPort()))) {
            return client.send("GET " + path + " HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
                    .readResponse()
                    .body();
        }
    }

    @Test
    void ejectsAFilterThatComputesTooLongAndNamesTheLine() throws Exception {
        try (Lychgate gateway = start("budget cpu: '200us', over: 'eject'\n" + SPINS)) {
            load(gateway, () -> slot(gateway).isEjected());
            assertThat(client(gateway).get("/").status()).isEqualTo(500);
            assertLogged("inbound filter offender exceeds its budget: CPU time \\d+ us per run \\(bound 200 us\\),"
                    + " at offender\\.groovy:[2-8]; \\d+ runs/s; strike 1 of 3");
            assertLogged("inbound filter offender is ejected until the next generation; .*");
        }
    }

    @Test
    void limitsAFilterThatAllocatesTooMuchWhileItDoes() throws Exception {
        try (Lychgate gateway = start("budget allocation: '64KiB', over: 'limit'\n" + ALLOCATES)) {
            assertThat(load(gateway, () -> budget(gateway).isLimited())).containsExactly(200);
            assertLogged("inbound filter offender exceeds its budget: allocation \\d+(B|KiB|MiB)? per run"
                    + " \\(bound 64KiB\\), at offender\\.groovy:[2-7]; \\d+ runs/s; strike 1 of 3");
            JsonNode filter =
                    new ObjectMapper().readTree(admin(gateway, "/filters")).at("/filters/0");
            assertThat(filter.path("over_budget").asInt()).isGreaterThanOrEqualTo(3);
            JsonNode budget = filter.path("budget");
            assertThat(budget.path("allocation").asInt()).isEqualTo(65536);
            assertThat(budget.path("mean_allocation").asInt()).isGreaterThan(1_000_000);
            assertThat(budget.path("over").asText()).isEqualTo("limit");
            assertThat(budget.path("limited").asBoolean()).isTrue();
            assertThat(budget.has("cpu_us")).isFalse();
            PrometheusText metrics = PrometheusText.read(admin(gateway, "/metrics"));
            assertThat(metrics.value("lychgate_filter_over_budget_total", "phase", "inbound", "filter", "offender"))
                    .isGreaterThanOrEqualTo(3);
        }
    }

    /** A single client never has two exchanges at once: only the rest after a run refuses one. */
    @Test
    void leavesHalfOfTheEventLoopToOthersWhileItLimitsAFilter() throws Exception {
        try (Lychgate gateway = start("budget cpu: '200us', over: 'limit'\n" + SPINS)) {
            load(gateway, () -> budget(gateway).isLimited());
            assertThat(load(gateway, () -> slot(gateway).stats().refused() > 2)).contains(503);
        }
    }

    @Test
    void liftsTheLimitOnceTheFilterIsWithinItsBudget() throws Exception {
        System.getProperties().put("filter.gate", true);
        String script = """
                budget allocation: '64KiB', over: 'limit'
                filter {
                    if (System.properties['filter.gate']) {
                        it['kept'] = new byte[1000000]
                    }
                }
                """;
        try (Lychgate gateway = start(script)) {
            load(gateway, () -> budget(gateway).isLimited());
            System.getProperties().put("filter.gate", false);
            load(gateway, () -> !budget(gateway).isLimited());
            assertLogged("inbound filter offender is within its budget again, so it is no longer limited to"
                    + " one exchange at a time");
        }
    }

    @Test
    void reportsOnlyByDefault() throws Exception {
        FilterBudget inherited = FilterBudget.of(Map.of("cpu", "200us"));
        try (Lychgate gateway = start(SPINS, inherited)) {
            assertThat(load(gateway, () -> budget(gateway).strikes() > 3)).containsExactly(200);
            assertThat(slot(gateway).isEjected()).isFalse();
            assertThat(budget(gateway).isLimited()).isFalse();
        }
    }

    @Test
    void offloadsAFilterThatSleepsAndExceedsItsTime() throws Exception {
        assumeTrue(Runtime.version().feature() >= 21, "needs virtual threads");
        System.getProperties().put("filter.sleep", (Runnable) () -> Pauses.sleep(20));
        // The guard would off-load a filter that sleeps while the machine pauses.
        FilterGuard patient = new FilterGuard(FilterGuard.Action.EJECT, Duration.ofSeconds(2), 3);
        try (Lychgate gateway = start("budget time: '5ms'\n" + SLEEPS, patient, FilterBudget.INHERITED)) {
            assertThat(load(gateway, () -> slot(gateway).isOffloaded())).containsExactly(200);
            assertLogged("inbound filter offender exceeds its budget: time \\d+ us per run \\(bound 5000 us\\),"
                    + " at offender\\.groovy:3; \\d+ runs/s; strike 1 of 3;"
                    + " it runs on virtual threads from now on");
            // Blocking filters have a budget of time, too.
            assertThat(load(gateway, () -> budget(gateway).strikes() > 2)).containsExactly(200);
        }
    }

    @Test
    void aFilterWithinItsBudgetGetsNoStrike() throws Exception {
        String script = "budget cpu: '10s', allocation: '1GiB', time: '30s', over: 'eject'\n" + SPINS;
        try (Lychgate gateway = start(script)) {
            assertThat(load(gateway, () -> budget(gateway).means().cpuNanos() > 0))
                    .containsExactly(200);
            assertThat(budget(gateway).strikes()).isZero();
            assertThat(slot(gateway).stats().windowsOverBudget()).isZero();
        }
    }

    @Test
    void filtersWithoutABudgetHaveNoMeter() throws Exception {
        try (Lychgate gateway = start(SPINS)) {
            assertThat(slot(gateway).budget()).isNull();
            assertThat(admin(gateway, "/filters")).contains("offender").doesNotContain("\"budget\"");
        }
    }

    private static final String WAITS = """
            import java.util.concurrent.CompletableFuture

            budget concurrency: 2
            timeout '60s'
            %s
            async {
                it.request.path == '/held' ? (CompletableFuture) System.properties['filter.gate'] : it.proceed()
            }
            """;

    /** Holds two exchanges in the filter, and returns the response to a third one. */
    private RawMessage third(String policy) throws Exception {
        CompletableFuture<Object> gate = new CompletableFuture<>();
        System.getProperties().put("filter.gate", gate);
        try (Lychgate gateway = start(WAITS.formatted(policy));
                RawClient one = client(gateway);
                RawClient two = client(gateway);
                RawClient other = client(gateway)) {
            one.send("GET /held HTTP/1.1\r\nHost: a\r\n\r\n");
            two.send("GET /held HTTP/1.1\r\nHost: a\r\n\r\n");
            eventually(() -> {
                other.get("/");
                assertThat(slot(gateway).stats().refused()).isPositive();
            });
            RawMessage response = other.get("/");
            gate.complete(null);
            assertThat(one.readResponse().status()).isEqualTo(200);
            assertThat(two.readResponse().status()).isEqualTo(200);
            assertThat(other.get("/").status()).as("places are free again").isEqualTo(200);
            // A client that disconnects frees its place, too.
            System.getProperties().put("filter.gate", new CompletableFuture<>());
            for (int i = 0; i < 4; i++) {
                try (RawClient leaving = client(gateway)) {
                    leaving.send("GET /held HTTP/1.1\r\nHost: a\r\n\r\n");
                }
            }
            eventually(() -> assertThat(other.get("/held-not").status()).isEqualTo(200));
            return response;
        }
    }

    @Test
    void rejectsExchangesBeyondTheConcurrency() throws Exception {
        RawMessage response = third("");
        assertThat(response.status()).isEqualTo(503);
        assertThat(response.body()).contains("\"type\":\"urn:lychgate:problem:filter-busy\"");
        assertThat(response.value("retry-after")).hasValue("1");
    }

    @Test
    void exchangesBeyondTheConcurrencySkipAFilterThatFailsOpen() throws Exception {
        assertThat(third("failOpen()").status()).isEqualTo(200);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "budget cpu: '5 minutes'; filter { } | cpu",
                "budget cpu: '0'; filter { } | cpu",
                "budget memory: '5KiB'; filter { } | budget memory",
                "budget over: 'stop'; filter { } | over",
                "budget concurrency: 0; filter { } | concurrency",
                "budget cpu: '5us'; blocking { } | a blocking filter has a budget of cpu or allocation",
            })
    void refusesAnUnusableBudget(String script, String fault) {
        assertThatThrownBy(() -> start(script.replace("; ", "\n")).close())
                .hasMessageContaining("inbound/offender.groovy")
                .hasMessageContaining(fault);
    }

    @Test
    void theFilterOfThePageCompiles() throws Exception {
        String page = Files.readString(PAGE);
        String script = page.substring(page.indexOf("```groovy\n") + 10);
        try (Lychgate gateway = start(script.substring(0, script.indexOf("```")))) {
            FilterBudget budget = budget(gateway).budget();
            assertThat(budget)
                    .isEqualTo(FilterBudget.of(Map.of(
                            "cpu",
                            "200us",
                            "allocation",
                            "64KiB",
                            "time",
                            "50ms",
                            "concurrency",
                            100,
                            "over",
                            "limit")));
            assertThat(client(gateway).get("/").status()).isEqualTo(200);
        }
    }
}
