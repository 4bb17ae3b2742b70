package dev.lychgate.server.reload;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.Lychgate;
import dev.lychgate.filter.FilterExchange;
import dev.lychgate.filter.FilterOutcome;
import dev.lychgate.filter.FilterServices;
import dev.lychgate.filter.InboundFilter;
import dev.lychgate.filter.SyncFilter;
import dev.lychgate.server.admin.Generations.Outcome;
import dev.lychgate.server.yaml.Environment;
import dev.lychgate.testing.Certificates;
import dev.lychgate.testing.Http2Client;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.Responses;
import dev.lychgate.testing.ScriptedOrigin;
import dev.lychgate.testing.WebSockets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Objects of filters are closed when the last exchange of their generation has ended. */
@Tag("slow")
@Tag("each-jdk")
class FilterLifeCycleTest {
    private static final String SCRIPT = """
            Events.add('load')
            closeLater({ Events.add('close first') } as AutoCloseable)
            onUnload { Events.add('unload') }
            closeLater({ Events.add('close last') } as AutoCloseable)
            filter { it.request.headers['x-a'] = 'b' }
            """;
    private static final String NONE = "filter { it.request.headers['x-a'] = 'none' }";

    @TempDir
    Path home = Path.of("");

    private final CountDownLatch response = new CountDownLatch(1);
    private final CountDownLatch asked = new CountDownLatch(1);

    /** The origin responds to requests for /slow when the test permits it. */
    private FilterDirectoryGateway start(String... filters) throws Exception {
        ScriptedOrigin origin = ScriptedOrigin.answering((request, connection) -> {
            if (request.target().equals("/socket")) {
                connection.send(WebSockets.granted(request));
                return;
            }
            if (request.target().equals("/slow")) {
                asked.countDown();
                response.await();
            }
            connection.send(Responses.ok("origin"));
        });
        return new FilterDirectoryGateway(home, origin, "", filters);
    }

    private static void await(BooleanSupplier condition) throws InterruptedException {
        for (int i = 0; i < 6000 && !condition.getAsBoolean(); i++) {
            Thread.sleep(10);
        }
        assertThat(condition.getAsBoolean()).isTrue();
    }

    @Test
    void closesInReverseOrderWhenTheLastExchangeHasEnded() throws Exception {
        try (FilterDirectoryGateway gateway = start("inbound/opening.groovy", SCRIPT);
                RawClient slow = gateway.client()) {
            gateway.get("/");
            slow.send("GET /slow HTTP/1.1\r\nHost: a\r\n\r\n");
            asked.await();
            gateway.reload("inbound/opening.groovy", NONE);
            gateway.get("/");
            // Longer than several checks for the last exchange.
            Thread.sleep(500);
            assertThat(gateway.events).containsExactly("load");
            response.countDown();
            assertThat(slow.readResponse().status()).isEqualTo(200);
            await(() -> gateway.events.size() == 4);
            assertThat(gateway.events).containsExactly("load", "close last", "unload", "close first");
            gateway.stop();
            assertThat(gateway.events).hasSize(4);
        }
    }

    private static final String HOLDING = """
            onUnload { Events.add('unload') }
            """;

    private interface Beginning {
        /**
         * Begins an exchange.
         *
         * @return ends it
         */
        Ending begin(FilterDirectoryGateway gateway) throws Exception;
    }

    private interface Ending {
        void end() throws Exception;
    }

    /** The filter is unloaded after the end of an exchange that began before, and not earlier. */
    private void assertUnloadedAfter(String filter, Beginning exchange) throws Exception {
        try (FilterDirectoryGateway gateway = start("inbound/holding.groovy", HOLDING + filter)) {
            Ending begun = exchange.begin(gateway);
            asked.await();
            gateway.reload("inbound/holding.groovy", NONE);
            // Longer than several checks for the last exchange.
            Thread.sleep(500);
            assertThat(gateway.events).doesNotContain("unload");
            begun.end();
            await(() -> gateway.events.contains("unload"));
            response.countDown();
        }
    }

    @Test
    void waitsForAnHttp2StreamWhoseConnectionStaysOpen() throws Exception {
        List<Http2Client> connections = new ArrayList<>();
        assertUnloadedAfter("filter { }", gateway -> {
            Http2Client client = Http2Client.connect(gateway.address());
            connections.add(client);
            client.get(1, "/slow");
            return () -> {
                response.countDown();
                assertThat(client.response(1).body()).isEqualTo("origin");
            };
        });
        connections.get(0).close();
    }

    @Test
    void waitsForAStreamThatAClientResets() throws Exception {
        List<Http2Client> connections = new ArrayList<>();
        assertUnloadedAfter("filter { }", gateway -> {
            Http2Client client = Http2Client.connect(gateway.address());
            connections.add(client);
            client.get(1, "/slow");
            return () -> client.reset(1, 8);
        });
        connections.get(0).close();
    }

    @Test
    void waitsForAWebSocket() throws Exception {
        assertUnloadedAfter("filter { }", gateway -> {
            RawClient client = gateway.client();
            assertThat(client.send(WebSockets.handshake("/socket")).readHead().status())
                    .isEqualTo(101);
            asked.countDown();
            return client::close;
        });
    }

    @Test
    void waitsForAPendingCallOut() throws Exception {
        assertUnloadedAfter(
                "async { x -> x.call('origin').get('/slow').send().thenApply { x.respond(200, it.text) } }",
                gateway -> {
                    RawClient client = gateway.client().send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
                    return () -> {
                        response.countDown();
                        assertThat(client.readResponse().body()).isEqualTo("origin");
                        client.close();
                    };
                });
    }

    @Test
    void unloadsAfterTheActionsAtTheEndOfTheLastExchange() throws Exception {
        assertUnloadedAfter("filter { it.onCompleted { Events.add('completed') } }", gateway -> {
            RawClient client = gateway.client().send("GET /slow HTTP/1.1\r\nHost: a\r\n\r\n");
            return () -> {
                response.countDown();
                client.readResponse();
                client.close();
                await(() -> gateway.events.size() == 2);
                assertThat(gateway.events).containsExactly("completed", "unload");
            };
        });
    }

    @Test
    void closesTheObjectsOfARefusedGeneration() throws Exception {
        try (FilterDirectoryGateway gateway = start("inbound/a.groovy", NONE)) {
            assertThat(gateway.reload(
                            "inbound/opening.groovy",
                            SCRIPT,
                            "inbound/z.groovy",
                            "throw new Exception('z')\nfilter { }"))
                    .isInstanceOf(Outcome.Refused.class);
            await(() -> gateway.events.size() == 4);
            gateway.events.clear();
            gateway.write("inbound/z.groovy", NONE);
            assertThat(gateway.reload("inbound/z.groovy", "selfCheck { throw new Exception('z') }\nfilter { }"))
                    .isInstanceOf(Outcome.Refused.class);
            await(() -> gateway.events.size() == 4);
            assertThat(gateway.events).containsExactly("load", "close last", "unload", "close first");
        }
    }

    @Test
    void buildsClosedFiltersAgainForARollback() throws Exception {
        try (FilterDirectoryGateway gateway = start("inbound/opening.groovy", SCRIPT)) {
            gateway.reload("inbound/opening.groovy", NONE);
            await(() -> gateway.events.size() == 4);
            assertThat(gateway.rollback(1)).isEqualTo(new Outcome.Taken(3));
            assertThat(gateway.events).hasSize(5).endsWith("load");
            // The running generation stays as it is.
            assertThat(gateway.rollback(3)).isEqualTo(new Outcome.Taken(4));
            gateway.get("/");
            Thread.sleep(500);
            assertThat(gateway.events).hasSize(5);
            gateway.reload("inbound/opening.groovy", NONE + "//");
            await(() -> gateway.events.size() == 8);
        }
    }

    @Test
    void refusesARollbackToFiltersThatCannotBeBuiltAgain() throws Exception {
        String once = """
                if (System.getProperty('filter.opened') != null) {
                    throw new IllegalStateException('the port is taken')
                }
                System.setProperty('filter.opened', '1')
                """ + SCRIPT;
        try (FilterDirectoryGateway gateway = start("inbound/opening.groovy", once)) {
            gateway.reload("inbound/opening.groovy", NONE);
            await(() -> gateway.events.size() == 4);
            assertThat(gateway.rollback(1).toString()).contains("opening.groovy:2: ", "the port is taken");
            assertThat(gateway.generation()).isEqualTo(2);
        } finally {
            System.clearProperty("filter.opened");
        }
    }

    @Test
    void closesEverythingWhenTheGatewayStops() throws Exception {
        try (FilterDirectoryGateway gateway = start("inbound/opening.groovy", SCRIPT)) {
            gateway.get("/");
            gateway.stop();
            assertThat(gateway.events).containsExactly("load", "close last", "unload", "close first");
            gateway.stop();
            assertThat(gateway.events).hasSize(4);
        }
    }

    @Test
    void closesObjectsOfACheck() throws Exception {
        try (FilterDirectoryGateway gateway = start("inbound/opening.groovy", SCRIPT)) {
            gateway.events.clear();
            Environment none = name -> null;
            FileGateway.check(home.resolve("gateway.yml"), none, times -> {});
            assertThat(gateway.events).containsExactly("load", "close last", "unload", "close first");
        }
    }

    @Test
    void loadsAndClosesAClass() throws Exception {
        String pooled = """
                import dev.lychgate.filter.*
                import java.util.concurrent.atomic.LongAdder

                class Pooled implements SyncFilter, AutoCloseable {
                    LongAdder hits

                    @Override
                    void onLoad(FilterServices services) {
                        hits = services.shared('hits', LongAdder) { new LongAdder() }
                        services.closeLater({ Events.add('close later') } as AutoCloseable)
                    }

                    @Override
                    FilterOutcome filter(FilterExchange exchange) {
                        hits.increment()
                        exchange.respond(200, "$hits")
                    }

                    @Override
                    void onUnload() { Events.add('unload') }

                    @Override
                    void close() { Events.add('close') }
                }
                """;
        try (FilterDirectoryGateway gateway = start("inbound/Pooled.groovy", pooled)) {
            assertThat(gateway.get("/").body()).isEqualTo("1");
            gateway.reload("inbound/Pooled.groovy", pooled + "//");
            await(() -> gateway.events.size() == 3);
            assertThat(gateway.events).containsExactly("unload", "close later", "close");
            assertThat(gateway.get("/").body()).isEqualTo("2");
        }
    }

    /** A filter that belongs to the embedding program. */
    private record Owned(List<String> events) implements InboundFilter, SyncFilter, AutoCloseable {
        @Override
        public void onLoad(FilterServices services) {
            events.add("load");
        }

        @Override
        public FilterOutcome filter(FilterExchange exchange) {
            return exchange.respond(200);
        }

        @Override
        public void onUnload() {
            events.add("unload");
        }

        @Override
        public void close() {
            events.add("close");
        }
    }

    @Test
    void leavesFiltersOfTheEmbeddingProgramToTheProgram() {
        List<String> events = new CopyOnWriteArrayList<>();
        try (Lychgate gateway = Lychgate.builder()
                .listener("main", "127.0.0.1:0")
                .upstream("origin", "http://127.0.0.1:9")
                .route("all", "/**", "origin")
                .filter(new Owned(events))
                .start()) {
            gateway.apply(gateway.generation().config());
        }
        assertThat(events).isEmpty();
    }

    @Test
    void closesAnObjectThatAClassOpensAtItsFirstRequest() throws Exception {
        String pooled = """
                import dev.lychgate.filter.*

                class Pooled implements SyncFilter {
                    private FilterServices services

                    @Override
                    void onLoad(FilterServices services) {
                        this.services = services
                    }

                    @Override
                    FilterOutcome filter(FilterExchange exchange) {
                        services.closeLater({ Events.add('closed') } as AutoCloseable)
                        exchange.respond(200, 'ok')
                    }
                }
                """;
        try (FilterDirectoryGateway gateway = start("inbound/Pooled.groovy", pooled)) {
            gateway.get("/");
            gateway.reload("inbound/Pooled.groovy", NONE);
            await(() -> gateway.events.contains("closed"));
        }
    }

    private static final String POOL = """
            import java.util.concurrent.*

            class Pool {
                static final ExecutorService WORKERS = Executors.newFixedThreadPool(1)
            }
            """;
    private static final String POOLED = """
            import java.util.concurrent.Callable

            onUnload { Events.add('end') }
            closeLater(Pool.WORKERS)
            blocking { it.respond(200, Pool.WORKERS.submit({ 'ran' } as Callable).get()) }
            """;

    @Test
    void keepsAnObjectOfAStaticFieldOpenWhileAGenerationRegistersIt() throws Exception {
        try (FilterDirectoryGateway gateway =
                start("lib/Pool.groovy", POOL, "inbound/other.groovy", NONE, "inbound/pooled.groovy", POOLED)) {
            for (int ended = 1; ended <= 3; ended++) {
                int ends = ended;
                assertThat(gateway.get("/").body()).isEqualTo("ran");
                gateway.reload("inbound/other.groovy", NONE + "// " + ended);
                await(() -> gateway.events.size() == ends);
                assertThat(gateway.get("/").body()).isEqualTo("ran");
            }
            // Longer than the time until a warning of threads.
            Thread.sleep(1500);
            assertThat(gateway.warnings()).isEmpty();
            assertThat(gateway.rollback(1)).isInstanceOf(Outcome.Taken.class);
            await(() -> gateway.events.size() == 4);
            assertThat(gateway.get("/").body()).isEqualTo("ran");
        }
    }

    @Test
    void closesAnObjectOfAStaticFieldWithTheLastGenerationAndLoadsItsClassAnewForTheNext() throws Exception {
        String reading = "filter { it.respond(200, 'closed ' + Pool.WORKERS.shutdown) }";
        try (FilterDirectoryGateway gateway = start("lib/Pool.groovy", POOL, "inbound/pooled.groovy", POOLED)) {
            assertThat(gateway.get("/").body()).isEqualTo("ran");
            gateway.reload("inbound/pooled.groovy", reading);
            await(() -> gateway.events.size() == 1);
            assertThat(gateway.get("/").body()).isEqualTo("closed true");
            gateway.reload("inbound/pooled.groovy", POOLED);
            assertThat(gateway.get("/").body()).isEqualTo("ran");
        }
    }

    @Test
    void refusesAnObjectWhoseEndIsNotAwaited() throws Exception {
        try (FilterDirectoryGateway gateway = start("inbound/late.groovy", """
                filter { closeLater(new StringReader('x')) }
                """)) {
            assertThat(gateway.get("/").status()).isEqualTo(500);
        }
    }

    @Test
    void warnsOfThreadsOfAPoolThatHadNoneWhenItsFilterWasLoaded() throws Exception {
        try (FilterDirectoryGateway gateway = start("inbound/leaking.groovy", """
                def pool = java.util.concurrent.Executors.newFixedThreadPool(1)
                blocking { pool.submit { } }
                """)) {
            gateway.get("/");
            // The generation is forgotten when a rollback cannot restore it any more.
            for (int i = 0; i < 10; i++) {
                gateway.reload("inbound/leaking.groovy", NONE + "// " + i);
            }
            await(() -> !gateway.warnings().isEmpty());
            assertThat(gateway.warnings())
                    .first()
                    .asString()
                    .contains("threads of a retired generation still run: pool-");
        }
    }

    @Test
    void reportsAnObjectThatCannotBeClosedAndClosesTheOthers() throws Exception {
        try (FilterDirectoryGateway gateway = start("inbound/opening.groovy", """
                closeLater({ Events.add('closed') } as AutoCloseable)
                onUnload {
                    throw new IllegalStateException('still in use')
                }
                filter { }
                """)) {
            gateway.reload("inbound/opening.groovy", NONE);
            await(() -> gateway.events.contains("closed"));
            assertThat(gateway.warnings())
                    .contains("inbound/opening.groovy:3: onUnload failed; its resources may stay open");
            assertThat(gateway.admin("/metrics")).contains("lychgate_filter_close_failures_total 1");
        }
    }

    @Test
    void abandonsAnObjectThatHangs() throws Exception {
        try (FilterDirectoryGateway gateway = start("inbound/opening.groovy", """
                closeLater({ Events.add('closed') } as AutoCloseable)
                onUnload {
                    while (true) {
                        Thread.sleep(10_000)
                    }
                }
                filter { }
                """)) {
            gateway.reload("inbound/opening.groovy", NONE);
            await(() -> gateway.events.contains("closed"));
            assertThat(gateway.warnings())
                    .contains("inbound/opening.groovy:4: onUnload has not ended after 5000 ms and is abandoned;"
                            + " its thread may keep running");
        }
    }

    @Test
    void warnsOfThreadsThatAFilterLeavesBehind() throws Exception {
        try (FilterDirectoryGateway gateway =
                start("inbound/a.groovy", NONE, "inbound/leaking.groovy", """
                import java.util.concurrent.CountDownLatch
                import java.util.concurrent.Executors
                def pool = Executors.newFixedThreadPool(2)
                Thread.startDaemon('left thread') { new CountDownLatch(1).await() }
                pool.submit { Events.add('runs') }
                filter { }
                """, "inbound/tidy.groovy", """
                import java.util.concurrent.Executors
                def pool = closeLater(Executors.newFixedThreadPool(2))
                def timer = closeLater(new Timer('tidy timer', true))
                pool.submit { Events.add('runs') }
                filter { }
                """)) {
            gateway.reload("inbound/leaking.groovy", NONE, "inbound/tidy.groovy", NONE);
            await(() -> !gateway.warnings().isEmpty());
            assertThat(gateway.warnings())
                    .singleElement()
                    .asString()
                    .startsWith("inbound/leaking.groovy: threads of a retired generation still run: ")
                    .contains("left thread", "pool-")
                    .endsWith("; register the object that owns the threads with closeLater");
        }
    }

    @Test
    void warnsOfAnHttpClientThatAFilterLeavesBehind() throws Exception {
        try (FilterDirectoryGateway gateway = start("inbound/calling.groovy", """
                def client = java.net.http.HttpClient.newHttpClient()
                filter { client.connectTimeout() }
                """)) {
            gateway.reload("inbound/calling.groovy", NONE);
            await(() -> !gateway.warnings().isEmpty());
            assertThat(gateway.warnings())
                    .singleElement()
                    .asString()
                    .startsWith("inbound/calling.groovy: threads of a retired generation still run: HttpClient-");
        }
    }

    @Test
    void refusesToRegisterAnObjectThatCanNotBeClosed() throws Exception {
        try (FilterDirectoryGateway gateway = start("inbound/a.groovy", NONE)) {
            assertThat(gateway.reload("inbound/b.groovy", "\ncloseLater('text')\nfilter { }")
                            .toString())
                    .contains("inbound/b.groovy:2: ")
                    .contains(
                            "closeLater: can't close a java.lang.String (expected: an AutoCloseable, an ExecutorService or a Timer;"
                                    + " for others, use onUnload)");
        }
    }

    @Test
    void keepsObjectsOpenWhenOnlyACertificateOrNothingChanges() throws Exception {
        Certificates authority = Certificates.authority("Test Authority");
        Certificates.pem(home, "site", authority.issue("lychgate.test"));
        try (FilterDirectoryGateway gateway = start("inbound/opening.groovy", SCRIPT)) {
            assertThat(gateway.reload()).isEqualTo(new Outcome.Taken(1));
            Certificates.pem(home, "site", authority.issue("lychgate.test"));
            assertThat(gateway.reload()).isEqualTo(new Outcome.Taken(2));
            gateway.get("/");
            Thread.sleep(300);
            assertThat(gateway.events).isEqualTo(List.of("load"));
        }
    }
}
