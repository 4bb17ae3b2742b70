package dev.lychgate.server.reload;

import static dev.lychgate.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.loop.MemoryBudget;
import dev.lychgate.server.admin.RolloutControl.State;
import dev.lychgate.server.shadow.ShadowReport;
import dev.lychgate.testing.RawClient;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Shadows of candidates in a gateway with real traffic, an origin, and filters with state and call-outs. */
@Tag("slow")
class ShadowTest {
    private static final String ROUTES =
            "[{ id: api, match: { path: \"/api/**\" }, upstream: a }, { id: rest, match: { path: \"/**\" }, upstream: a }]";

    /** A filter that waits for a property of the system, and ignores interrupts. */
    private static final String SPINNING = "filter { while (System.getProperty('test.shadow.spins') != null) { } }";

    @TempDir
    Path home = Path.of("");

    private ShadowFixture gateway;

    @BeforeEach
    void create() throws Exception {
        gateway = new ShadowFixture(home);
        gateway.configure(ShadowFixture.ALL, ROUTES);
    }

    @AfterEach
    void close() throws Exception {
        System.clearProperty("test.shadow.spins");
        gateway.close();
    }

    /** Sends requests on one connection, each with the status 200. */
    private void send(int count) throws Exception {
        try (RawClient client = gateway.client()) {
            for (int i = 0; i < count; i++) {
                assertThat(client.get("/api/" + i).status()).isEqualTo(200);
            }
        }
    }

    @Test
    void allDifferencesOfAThousandRequestsAreFoundAndGroupedAndNoOthers() throws Exception {
        gateway.filter("inbound/Auth", "filter { it.request.headers['x-user'] ? it.proceed() : it.respond(401) }");
        gateway.filter("inbound/Stamp", "order 1\nfilter { it.request.headers['x-stamp'] = it.requestId }");
        // State that follows the same requests in both generations is no difference.
        gateway.filter("inbound/Count", """
            order(-1)
            def seen = shared('seen') { new java.util.concurrent.atomic.AtomicInteger() }
            filter { if (seen.incrementAndGet() > 2) it.request.headers['x-many'] = seen.get() }
            """);
        gateway.start();
        send(0);
        gateway.filter("inbound/Auth", """
            filter {
                def user = it.request.headers['x-user']
                user == 'bob' ? it.respond(403) : user ? it.proceed() : it.respond(401)
            }""");
        gateway.filter("inbound/Extra", """
            order 3
            filter {
                if (it.request.path == '/api/v2') it.upstream = 'b'
                if (it.request.query == 'token=abc') it.request.query = 'token=other'
            }""");
        gateway.change();

        Random random = new Random(32);
        int forbidden = 0;
        int moved = 0;
        int changed = 0;
        int forwarded = 0;
        int different = 0;
        try (RawClient client = gateway.client()) {
            for (int i = 0; i < 1000; i++) {
                String user = random.nextInt(10) == 0 ? "bob" : random.nextInt(10) == 0 ? "" : "alice";
                boolean v2 = random.nextInt(20) == 0;
                boolean query = random.nextInt(20) == 0;
                client.send("GET /api/" + (v2 ? "v2" : "v1") + (query ? "?token=abc" : "") + " HTTP/1.1\r\nHost: a\r\n"
                        + (user.isEmpty() ? "" : "x-user: " + user + "\r\n") + "\r\n");
                assertThat(client.readResponse().status()).isEqualTo(user.isEmpty() ? 401 : 200);
                forbidden += user.equals("bob") ? 1 : 0;
                moved += user.equals("alice") && v2 ? 1 : 0;
                changed += user.equals("alice") && query ? 1 : 0;
                different += user.equals("bob") || (user.equals("alice") && (v2 || query)) ? 1 : 0;
                forwarded += user.isEmpty() ? 0 : 1;
                if (i % 100 == 99) {
                    gateway.await(i + 1);
                }
            }
        }
        gateway.await(1000);

        // The new filter is a difference only where it does something.
        assertThat(gateway.groups())
                .containsExactlyInAnyOrder(
                        forbidden + " x outcome inbound Auth: proceed -> respond 403",
                        moved + " x upstream a -> b",
                        changed + " x change inbound Extra: :query");
        assertThat(gateway.shadow().compared()).isEqualTo(1000);
        assertThat(gateway.shadow().different()).isEqualTo(different);
        assertThat(gateway.shadow().results().get("dropped")).isZero();
        assertThat(gateway.requests()).as("requests of clients alone").isEqualTo(forwarded);
        String examples = gateway.admin("/rollout/examples").body();
        assertThat(examples).contains("\"target\":\"/api/v1?token=***\"").doesNotContain("abc", "other");
        assertThat(gateway.admin("/rollout").body()).contains("respond 403").doesNotContain("\"examples\"");
        assertThat(gateway.command("rollout", "status")).contains("shadow: comparing", "x upstream a -> b");
        assertThat(gateway.command("rollout", "status", "--examples")).contains("GET /api/v1?token=***");
        assertThat(gateway.admin("/metrics").body())
                .contains("lychgate_shadow_requests_total{result=\"different\"}")
                .contains("lychgate_shadow_differences_total{kind=\"outcome\"} " + forbidden + ".0");
    }

    @Test
    void copiesTouchNeitherTheStateOfFiltersNorTheOrigin() throws Exception {
        gateway.filter("inbound/Hits", """
            def hits = shared('hits') { new java.util.concurrent.atomic.AtomicInteger() }
            filter {
                int count = hits.incrementAndGet()
                if (it.request.path == '/count') return it.respond(200, '' + count)
            }""");
        gateway.filter("inbound/Ask", """
            order 1
            applies { it.request.path.startsWith('/api/') }
            async { exchange -> exchange.call('b').get('/ask').send().thenApply { exchange.proceed() } }""");
        gateway.filter("inbound/Read", """
            order 1
            body 1024
            applies { it.request.method == 'POST' }
            filter { it.request.headers['x-length'] = it.request.body.length }""");
        gateway.start();
        gateway.filter("inbound/Deny", "filter { if (it.request.path == '/denied') it.respond(403) }");
        gateway.change();

        send(20);
        try (RawClient client = gateway.client()) {
            client.send("POST /post HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nbody");
            assertThat(client.readResponse().status()).isEqualTo(200);
            assertThat(client.get("/denied").status()).isEqualTo(200);
            assertThat(client.get("/count").body()).as("each request once").isEqualTo("23");
        }
        gateway.await(23);

        assertThat(gateway.result("call-out")).isEqualTo(20);
        assertThat(gateway.result("body")).isEqualTo(1);
        assertThat(gateway.result("equal")).isEqualTo(1);
        assertThat(gateway.groups()).containsExactly("1 x run inbound Deny: did not run -> respond 403");
        assertThat(gateway.requests())
                .as("20 requests with a call-out, and two without")
                .isEqualTo(42);

        // A call-out of the candidate alone is a difference.
        gateway.filter("inbound/Ask", "order 1\nfilter { }");
        gateway.change();
        send(3);
        gateway.await(3);
        assertThat(gateway.groups()).containsExactly("3 x outcome inbound Ask: calls out -> proceed");
        assertThat(gateway.requests()).isEqualTo(42 + 6);
    }

    @Test
    void aCandidateThatThrowsIsSlowOrAllocatesChangesNothingForClients() throws Exception {
        gateway.filter("inbound/Work", "filter { }");
        gateway.start();
        gateway.filter("inbound/Work", """
            filter {
                def kind = it.request.headers['x-kind']
                if (kind == 'throw') throw new IllegalStateException('a mistake')
                if (kind == 'spin') { long end = System.nanoTime() + 50_000_000; while (System.nanoTime() < end) { } }
                if (kind == 'allocate') it.request.headers['x-size'] = new byte[8 << 20].length
                if (kind == 'memory') throw new OutOfMemoryError('of a test')
            }""");
        gateway.change();
        try (RawClient client = gateway.client()) {
            for (String kind : List.of("throw", "spin", "allocate", "memory")) {
                for (int i = 0; i < 10; i++) {
                    client.send("GET / HTTP/1.1\r\nHost: a\r\nx-kind: " + kind + "\r\n\r\n");
                    assertThat(client.readResponse().status()).isEqualTo(200);
                }
            }
        }
        gateway.await(40);
        assertThat(gateway.groups())
                .containsExactlyInAnyOrder(
                        "10 x outcome inbound Work: proceed -> failed: java.lang.IllegalStateException",
                        "10 x outcome inbound Work: proceed -> failed: java.lang.OutOfMemoryError",
                        "10 x change inbound Work: x-size");
        assertThat(gateway.result("equal")).isEqualTo(10);
        assertThat(gateway.status().state()).isEqualTo(State.RUNNING);
    }

    @Test
    void aFilterThatNeverReturnsEndsTheShadowAndHoldsNoTraffic() throws Exception {
        gateway.filter("inbound/Spin", "filter { }");
        gateway.start();
        gateway.filter("inbound/Spin", SPINNING);
        System.setProperty("test.shadow.spins", "yes");
        gateway.change();
        send(50);
        eventually(() -> assertThat(gateway.shadow().state()).isEqualTo(ShadowReport.State.STOPPED));
        assertThat(gateway.shadow().reason())
                .startsWith("inbound Spin (Spin.groovy:1) did not return within 1 s; the thread of the shadow was"
                        + " interrupted");
        send(50);
        assertThat(gateway.command("rollout", "status")).contains("stopped: inbound Spin (Spin.groovy:1)");

        // At most one thread is lost: the next candidate has no shadow until it ends.
        System.clearProperty("test.shadow.spins");
        eventually(() -> assertThat(MemoryBudget.OF_PROCESS.held()).isZero());
        gateway.filter("inbound/Spin", "filter { it.request.headers['x-a'] = '1' }");
        gateway.change();
        send(1);
        gateway.await(1);
        assertThat(gateway.groups()).containsExactly("1 x change inbound Spin: x-a");
    }

    @Test
    void copiesAreDroppedUnderPressureAndWithTheEndOfTheRollout() throws Exception {
        gateway.filter("inbound/Mark", "filter { }");
        gateway.start();
        gateway.filter("inbound/Mark", "filter { it.request.headers['x-mark'] = '1' }");
        gateway.change();
        MemoryBudget memory = MemoryBudget.OF_PROCESS;
        long half = memory.most() / 2;
        assertThat(memory.take(half)).isTrue();
        try {
            send(10);
        } finally {
            memory.giveBack(half);
        }
        send(10);
        gateway.await(20);
        assertThat(gateway.result("dropped")).isEqualTo(10);
        assertThat(gateway.result("different")).isEqualTo(10);

        try (RawClient client = gateway.client()) {
            for (int i = 0; i < 200; i++) {
                if (i == 100) {
                    gateway.command("rollout", "abort");
                }
                assertThat(client.get("/").status()).isEqualTo(200);
            }
        }
        assertThat(gateway.status().state()).isEqualTo(State.ABORTED);
        assertThat(gateway.shadow().state()).isEqualTo(ShadowReport.State.ENDED);
        assertThat(gateway.groups()).as("results remain").isNotEmpty();
        eventually(() -> {
            assertThat(Thread.getAllStackTraces().keySet())
                    .noneMatch(thread -> thread.getName().equals("lychgate-shadow"));
            assertThat(memory.held()).isZero();
        });
    }

    @Test
    void theFirstStepBeginsAfterTheShadowUnlessADifferenceHoldsIt() throws Exception {
        gateway.configure("{ share: 100%, hold: 10ms, requests: 5, on-difference: hold }", ROUTES);
        gateway.filter("inbound/Mark", "filter { }");
        gateway.start();
        gateway.filter("inbound/Mark", "filter { it.proceed() }");
        gateway.change();
        assertThat(gateway.status().share()).isZero();
        assertThat(gateway.status().steps()).containsExactly(0.0, 0.01, 1.0);
        send(5);
        eventually(() -> assertThat(gateway.status().share()).isEqualTo(0.01));
        assertThat(gateway.status().reason())
                .contains("grows to 1%, step 2 of 3", "5 requests compared, 0 with differences");
        assertThat(gateway.shadow().state()).isEqualTo(ShadowReport.State.ENDED);

        gateway.filter("inbound/Mark", "filter { if (it.request.path == '/api/0') it.respond(404) }");
        gateway.change();
        send(5);
        eventually(() -> assertThat(gateway.status().reason())
                .contains("holds at 0%", "an operator must decide", "1 with differences"));
        assertThat(gateway.status().share()).isZero();
        gateway.command("rollout", "set", "2%");
        assertThat(gateway.status().share()).isEqualTo(0.02);
        assertThat(gateway.groups()).containsExactly("1 x outcome inbound Mark: proceed -> respond 404");
    }

    @Test
    void changedRoutesAndRewritesAreDifferences() throws Exception {
        gateway.configure(
                ShadowFixture.ALL,
                "[{ id: api, match: { path: \"/api/**\" }, upstream: a }, { id: old, match: { path: \"/old\" }, upstream: a },"
                        + " { id: gone, match: { path: \"/gone\" }, respond: { status: 204 } }]");
        gateway.start();
        gateway.configure(
                ShadowFixture.ALL,
                "[{ id: api, match: { path: \"/api/**\" }, rewrite: { strip-prefix: 1 }, upstream: a },"
                        + " { id: new, match: { path: \"/old\" }, upstream: b }]");
        gateway.change();
        try (RawClient client = gateway.client()) {
            client.get("/api/x");
            client.get("/old");
            client.get("/gone");
            client.get("/unknown");
        }
        gateway.await(4);
        assertThat(gateway.groups())
                .containsExactlyInAnyOrder(
                        "1 x path rewrite of the route",
                        "1 x route old -> new",
                        "1 x upstream a -> b",
                        "1 x route gone -> none",
                        "1 x status 204 -> 404 no-route");
        assertThat(gateway.result("equal")).isEqualTo(1);
    }
}
