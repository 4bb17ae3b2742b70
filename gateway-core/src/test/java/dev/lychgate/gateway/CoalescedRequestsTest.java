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
import java.util.concurrent.atomic.AtomicInteger;
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
                gate.await();
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
    void sendsEachWaitingRequestItselfIfTheFirstOneFails() throws Exception {
        Gate gate = new Gate();
        AtomicInteger count = new AtomicInteger();
        try (ScriptedOrigin origin = ScriptedOrigin.start().onConnection(connection -> {
                    connection.readRequest();
                    if (count.incrementAndGet() == 1) {
                        gate.await();
                        connection.reset();
                    } else {
                        connection.send(Responses.of(200, "own", "Cache-Control: max-age=60"));
                        connection.close();
                    }
                });
                Running gateway = start(origin, CACHE)) {
            List<RawClient> clients = clients(gateway, 3);
            clients.get(0).send(GET);
            origin.awaitRequests(1);
            clients.get(1).send(GET);
            clients.get(2).send(GET);
            eventually(() -> assertThat(caches(gateway).waiting()).isEqualTo(2));
            gate.open();
            assertThat(clients.get(0).readResponse().status()).isEqualTo(502);
            assertThat(clients.get(1).readResponse().body()).isEqualTo("own");
            assertThat(clients.get(2).readResponse().body()).isEqualTo("own");
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
            gate.open();
            assertThat(clients.get(0).readResponse().body()).isEqualTo("held");
            assertThat(origin.requestsSeen()).isEqualTo(1);
            close(clients);
        }
    }
}
