package dev.lychgate.gateway;

import static dev.lychgate.gateway.CachedOrigin.CACHE;
import static dev.lychgate.gateway.CachedOrigin.cached;
import static dev.lychgate.gateway.CachedOrigin.status;
import static dev.lychgate.testing.Eventually.eventually;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.cache.CacheOutcome;
import dev.lychgate.cache.ResponseCaches;
import dev.lychgate.config.CacheConfig;
import dev.lychgate.testing.Gate;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.RawMessage;
import dev.lychgate.testing.Responses;
import dev.lychgate.testing.ScriptedOrigin;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Simultaneous requests for a response that is not stored. */
@Tag("slow")
class CoalescedRequestsTest {
    private static final String GET = "GET /a HTTP/1.1\r\nHost: shop\r\n\r\n";
    private static final String HELD = "GET /a HTTP/1.1\r\nHost: shop\r\nX-Hold: 1\r\n\r\n";

    private static ResponseCaches caches(Running gateway) {
        return requireNonNull(gateway.gateway().generation().caches());
    }

    /** An origin that holds its response to a request with {@code X-Hold} until the gate opens. */
    private static ScriptedOrigin holding(Gate gate, String... fieldLines) {
        return ScriptedOrigin.answeringWhoStays((request, connection) -> {
            boolean held = request.has("x-hold");
            if (held) {
                gate.await(Duration.ofSeconds(30));
            }
            connection.send(Responses.of(200, held ? "held" : "own", fieldLines));
        });
    }

    private static List<RawClient> clients(Running gateway, int count) throws Exception {
        List<RawClient> clients = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            clients.add(gateway.client());
        }
        return clients;
    }

    private static void close(List<RawClient> clients) {
        clients.forEach(RawClient::close);
    }

    private static Running start(ScriptedOrigin origin, CacheConfig cache) {
        return cached(origin, cache).workers(4).start();
    }

    @Test
    void sendsOneRequestToTheOriginForAThousandSimultaneousMisses() throws Exception {
        Gate gate = new Gate();
        try (ScriptedOrigin origin = holding(gate, "Cache-Control: max-age=60");
                Running gateway = start(origin, CACHE.withCoalesce(Duration.ofSeconds(30)))) {
            List<RawClient> clients = clients(gateway, 1000);
            for (RawClient client : clients) {
                client.send(HELD);
            }
            eventually(() -> assertThat(caches(gateway).waiting()).isEqualTo(999));
            gate.open();
            int collapsed = 0;
            for (RawClient client : clients) {
                RawMessage response = client.readResponse();
                assertThat(response.body()).isEqualTo("held");
                collapsed += status(response).contains("; collapsed; ttl=60") ? 1 : 0;
            }
            assertThat(collapsed).isEqualTo(999);
            assertThat(origin.requestsSeen()).isEqualTo(1);
            assertThat(caches(gateway).waiting()).isZero();
            eventually(
                    () -> assertThat(requireNonNull(caches(gateway).of("all")).counted(CacheOutcome.COALESCED))
                            .isEqualTo(999));
            close(clients);
        }
    }

    @Test
    void releasesWaitingRequestsAsSoonAsTheHeadShowsAPrivateResponse() throws Exception {
        Gate head = new Gate();
        Gate body = new Gate();
        AtomicInteger count = new AtomicInteger();
        try (ScriptedOrigin origin = ScriptedOrigin.answeringWhoStays((request, connection) -> {
                    if (count.incrementAndGet() == 1) {
                        head.await();
                        connection.send(Responses.head(200, "Cache-Control: private", "Content-Length: 2") + "\r\nn");
                        body.await();
                        connection.send("1");
                    } else {
                        connection.send(Responses.of(200, "own", "Cache-Control: private"));
                    }
                });
                Running gateway = start(origin, CACHE)) {
            List<RawClient> clients = clients(gateway, 20);
            clients.get(0).send(GET);
            origin.awaitRequests(1);
            for (RawClient client : clients.subList(1, 20)) {
                client.send(GET);
            }
            eventually(() -> assertThat(caches(gateway).waiting()).isEqualTo(19));
            head.open();
            for (RawClient client : clients.subList(1, 20)) {
                assertThat(client.readResponse().body()).isEqualTo("own");
            }
            body.open();
            assertThat(clients.get(0).readResponse().body()).isEqualTo("n1");
            assertThat(origin.requestsSeen()).isEqualTo(20);
            close(clients);
        }
    }

    @Test
    void doesNotLetRequestsWaitForAResponseThatCouldNotBeStoredBefore() throws Exception {
        Gate gate = new Gate();
        try (ScriptedOrigin origin = holding(gate, "Cache-Control: no-store");
                Running gateway = start(origin, CACHE)) {
            List<RawClient> clients = clients(gateway, 3);
            clients.get(0).send(GET).readResponse();
            clients.get(1).send(HELD);
            origin.awaitRequests(2);
            assertThat(clients.get(2).send(GET).readResponse().body()).isEqualTo("own");
            gate.open();
            clients.get(1).readResponse();
            close(clients);
        }
    }

    @Test
    void sendsOneOfTheWaitingRequestsIfTheFirstOneFails() throws Exception {
        Gate first = new Gate();
        Gate second = new Gate();
        AtomicInteger count = new AtomicInteger();
        try (ScriptedOrigin origin = ScriptedOrigin.start().onConnection(connection -> {
                    connection.readRequest();
                    if (count.incrementAndGet() == 1) {
                        first.await();
                        connection.reset();
                    } else {
                        second.await();
                        connection.send(Responses.of(200, "n" + count.get(), "Cache-Control: max-age=60"));
                        connection.close();
                    }
                });
                Running gateway = start(origin, CACHE)) {
            List<RawClient> clients = clients(gateway, 50);
            clients.get(0).send(GET);
            origin.awaitRequests(1);
            for (RawClient client : clients.subList(1, 50)) {
                client.send(GET);
            }
            eventually(() -> assertThat(caches(gateway).waiting()).isEqualTo(49));
            first.open();
            assertThat(clients.get(0).readResponse().status()).isEqualTo(502);
            origin.awaitRequests(2);
            assertThat(caches(gateway).waiting()).isEqualTo(48);
            second.open();
            for (RawClient client : clients.subList(1, 50)) {
                assertThat(client.readResponse().body()).isEqualTo("n2");
            }
            assertThat(origin.requestsSeen()).isEqualTo(2);
            close(clients);
        }
    }

    @Test
    void sendsTheWaitingRequestsOneAtATimeWhileTheOriginFails() throws Exception {
        Gate gate = new Gate();
        AtomicInteger count = new AtomicInteger();
        AtomicReference<ResponseCaches> caches = new AtomicReference<>();
        List<Integer> waiting = new CopyOnWriteArrayList<>();
        try (ScriptedOrigin origin = ScriptedOrigin.start().onConnection(connection -> {
                    connection.readRequest();
                    gate.await();
                    waiting.add(requireNonNull(caches.get()).waiting());
                    if (count.incrementAndGet() % 2 == 0) {
                        connection.reset();
                    } else {
                        connection.send(Responses.of(503, "down"));
                        connection.close();
                    }
                });
                Running gateway = start(origin, CACHE.withCoalesce(Duration.ofSeconds(30)))) {
            caches.set(caches(gateway));
            List<RawClient> clients = clients(gateway, 20);
            clients.get(0).send(GET);
            origin.awaitRequests(1);
            for (RawClient client : clients.subList(1, 20)) {
                client.send(GET);
            }
            eventually(() -> assertThat(caches(gateway).waiting()).isEqualTo(19));
            gate.open();
            for (RawClient client : clients) {
                assertThat(client.readResponse().status()).isBetween(502, 503);
            }
            assertThat(origin.requestsSeen()).isEqualTo(20);
            assertThat(waiting)
                    .isEqualTo(IntStream.iterate(19, left -> left - 1)
                            .limit(20)
                            .boxed()
                            .toList());
            close(clients);
        }
    }

    @Test
    void sendsAStaleResponseToAllWaitingRequestsIfTheFirstOneFails() throws Exception {
        Gate gate = new Gate();
        AtomicInteger count = new AtomicInteger();
        String stale = "Cache-Control: max-age=60, stale-if-error=600";
        try (ScriptedOrigin origin = ScriptedOrigin.answeringWhoStays((request, connection) -> {
                    if (count.incrementAndGet() == 1) {
                        connection.send(Responses.of(200, "n1", stale, "Age: 100"));
                    } else {
                        gate.await();
                        connection.send(Responses.of(503, "down"));
                    }
                });
                Running gateway = start(origin, CACHE)) {
            List<RawClient> clients = clients(gateway, 20);
            clients.get(0).send(GET).readResponse();
            for (RawClient client : clients) {
                client.send(GET);
            }
            eventually(() -> assertThat(caches(gateway).waiting()).isEqualTo(19));
            gate.open();
            int collapsed = 0;
            for (RawClient client : clients) {
                RawMessage response = client.readResponse();
                assertThat(response.body()).isEqualTo("n1");
                collapsed += status(response).equals("Lychgate; fwd=stale; collapsed; ttl=-40") ? 1 : 0;
            }
            assertThat(collapsed).isEqualTo(19);
            assertThat(origin.requestsSeen()).isEqualTo(2);
            close(clients);
        }
    }

    @Test
    void sendsOneRequestForEachSelectingValue() throws Exception {
        Gate gate = new Gate();
        try (ScriptedOrigin origin = ScriptedOrigin.answeringWhoStays((request, connection) -> {
                    gate.await();
                    String language = request.value("accept-language").orElseThrow();
                    connection.send(Responses.of(200, language, "Cache-Control: max-age=60", "Vary: accept-language"));
                });
                Running gateway = start(origin, CACHE)) {
            List<RawClient> clients = clients(gateway, 20);
            for (int i = 0; i < 20; i++) {
                String language = i % 2 == 0 ? "de" : "en";
                clients.get(i).send("GET /a HTTP/1.1\r\nHost: shop\r\nAccept-Language: " + language + "\r\n\r\n");
            }
            eventually(() -> assertThat(caches(gateway).waiting()).isEqualTo(19));
            gate.open();
            for (int i = 0; i < 20; i++) {
                assertThat(clients.get(i).readResponse().body()).isEqualTo(i % 2 == 0 ? "de" : "en");
            }
            assertThat(origin.requestsSeen()).isEqualTo(2);
            close(clients);
        }
    }

    /** The response to a request with credentials is usually for its sender only. */
    @Test
    void doesNotLetRequestsWaitForOneWithCredentials() throws Exception {
        Gate gate = new Gate();
        try (ScriptedOrigin origin = holding(gate, "Cache-Control: max-age=60");
                Running gateway = start(origin, CACHE)) {
            List<RawClient> clients = clients(gateway, 2);
            clients.get(0).send(HELD.replace("X-Hold", "Cookie: a=b\r\nX-Hold"));
            origin.awaitRequests(1);
            assertThat(clients.get(1).send(GET).readResponse().body()).isEqualTo("own");
            gate.open();
            clients.get(0).readResponse();
            close(clients);
        }
    }

    /** A leader that is slow, or whose client reads slowly, delays others once and not for as long as it lasts. */
    @Test
    void storesTheResponseOfARequestThatHasWaitedForTooLong() throws Exception {
        Gate slow = new Gate();
        Gate own = new Gate();
        AtomicInteger count = new AtomicInteger();
        try (ScriptedOrigin origin = ScriptedOrigin.answeringWhoStays((request, connection) -> {
                    int number = count.incrementAndGet();
                    (number == 1 ? slow : own).await();
                    connection.send(Responses.of(200, "n" + number, "Cache-Control: max-age=60"));
                });
                Running gateway = start(origin, CACHE.withCoalesce(Duration.ofSeconds(3)))) {
            List<RawClient> clients = clients(gateway, 3);
            clients.get(0).send(GET);
            origin.awaitRequests(1);
            clients.get(1).send(GET);
            origin.awaitRequests(2);
            clients.get(2).send(GET);
            eventually(() -> assertThat(caches(gateway).waiting()).isEqualTo(1));
            own.open();
            assertThat(clients.get(1).readResponse().body()).isEqualTo("n2");
            assertThat(clients.get(2).readResponse().body()).isEqualTo("n2");
            slow.open();
            assertThat(clients.get(0).readResponse().body()).isEqualTo("n1");
            assertThat(origin.requestsSeen()).isEqualTo(2);
            close(clients);
        }
    }

    @Test
    void continuesIfTheFirstClientLeaves() throws Exception {
        Gate gate = new Gate();
        try (ScriptedOrigin origin = holding(gate, "Cache-Control: max-age=60");
                Running gateway = start(origin, CACHE)) {
            List<RawClient> clients = clients(gateway, 2);
            clients.get(0).send(HELD);
            origin.awaitRequests(1);
            clients.get(1).send(GET);
            eventually(() -> assertThat(caches(gateway).waiting()).isEqualTo(1));
            clients.get(0).close();
            assertThat(clients.get(1).readResponse().body()).isEqualTo("own");
            gate.open();
            close(clients);
        }
    }

    @Test
    void waitsNoLongerThanConfigured() throws Exception {
        Gate gate = new Gate();
        try (ScriptedOrigin origin = holding(gate, "Cache-Control: max-age=60");
                Running gateway = start(origin, CACHE.withCoalesce(Duration.ofMillis(100)))) {
            List<RawClient> clients = clients(gateway, 2);
            clients.get(0).send(HELD);
            origin.awaitRequests(1);
            assertThat(clients.get(1).send(GET).readResponse().body()).isEqualTo("own");
            gate.open();
            assertThat(clients.get(0).readResponse().body()).isEqualTo("held");
            close(clients);
        }
    }

    @Test
    void sendsAllRequestsIfTheRouteDoesNotLetThemWait() throws Exception {
        Gate gate = new Gate();
        try (ScriptedOrigin origin = holding(gate, "Cache-Control: max-age=60");
                Running gateway = start(origin, CACHE.withCoalesce(Duration.ZERO))) {
            List<RawClient> clients = clients(gateway, 2);
            clients.get(0).send(HELD);
            origin.awaitRequests(1);
            assertThat(clients.get(1).send(GET).readResponse().body()).isEqualTo("own");
            gate.open();
            close(clients);
        }
    }

    @Test
    void endsTheWaitOfAClientThatLeaves() throws Exception {
        Gate gate = new Gate();
        try (ScriptedOrigin origin = holding(gate, "Cache-Control: max-age=60");
                Running gateway = start(origin, CACHE)) {
            List<RawClient> clients = clients(gateway, 2);
            clients.get(0).send(HELD);
            origin.awaitRequests(1);
            clients.get(1).send(GET);
            eventually(() -> assertThat(caches(gateway).waiting()).isEqualTo(1));
            clients.get(1).close();
            assertThat(gateway.nextOutcome().status()).isEqualTo(499);
            assertThat(caches(gateway).waiting()).isZero();
            gate.open();
            assertThat(clients.get(0).readResponse().body()).isEqualTo("held");
            assertThat(origin.requestsSeen()).isEqualTo(1);
            close(clients);
        }
    }
}
