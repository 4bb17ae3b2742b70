package dev.lychgate.gateway;

import static dev.lychgate.gateway.CachedOrigin.CACHE;
import static dev.lychgate.gateway.CachedOrigin.cached;
import static dev.lychgate.gateway.CachedOrigin.get;
import static dev.lychgate.gateway.CachedOrigin.status;
import static dev.lychgate.gateway.Candidates.included;
import static dev.lychgate.testing.Eventually.eventually;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.cache.ResponseCaches;
import dev.lychgate.chain.FilterSet;
import dev.lychgate.config.ByteSize;
import dev.lychgate.config.CacheConfig;
import dev.lychgate.config.SocketOptions;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.RawMessage;
import dev.lychgate.testing.Responses;
import dev.lychgate.testing.ScriptedOrigin;
import dev.lychgate.testing.TestFilter;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Attempts of one client to change, remove or delay the stored responses that other clients receive. */
@Tag("slow")
class ProtectedResponsesTest {
    private static final String FRESH = "Cache-Control: max-age=60";

    private static ResponseCaches caches(Running gateway) {
        return requireNonNull(gateway.gateway().generation().caches());
    }

    /** An origin that responds to a request with {@code X-Attack} with the status in it, otherwise with {@code good}. */
    private static ScriptedOrigin attacked(String... fieldLines) {
        return ScriptedOrigin.answeringWhoStays((request, connection) -> connection.send(request.value("x-attack")
                .map(status -> Responses.of(Integer.parseInt(status), "bad", FRESH))
                .orElse(Responses.of(200, "good", fieldLines))));
    }

    // ---- storing an error for all clients

    @ParameterizedTest
    @CsvSource({"416, Range: bytes=9-", "412, X-A: b", "417, X-A: b", "429, X-A: b", "431, X-A: b"})
    void storesNoResponseThatDependsOnTheRequestOfOneClient(int status, String line) throws Exception {
        try (ScriptedOrigin origin = attacked(FRESH);
                Running gateway = cached(origin, CACHE).start();
                RawClient client = gateway.client()) {
            assertThat(get(client, "/a", line, "X-Attack: " + status).status()).isEqualTo(status);
            assertThat(get(client, "/a").body()).isEqualTo("good");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {400, 401, 403, 500, 503})
    void storesNoFailureForTheLifetimeOfTheRoute(int status) throws Exception {
        AtomicInteger count = new AtomicInteger();
        CacheConfig cache = CACHE.withTtl(Duration.ofMinutes(1)).withDefaultTtl(Duration.ofMinutes(1));
        try (ScriptedOrigin origin = ScriptedOrigin.answeringWhoStays((request, connection) -> connection.send(
                        count.incrementAndGet() == 1 ? Responses.of(status, "bad") : Responses.of(200, "good")));
                Running gateway = cached(origin, cache).start();
                RawClient client = gateway.client()) {
            RawMessage failure = get(client, "/a");
            assertThat(failure.status()).isEqualTo(status);
            assertThat(status(failure)).endsWith("detail=no-lifetime");
            assertThat(get(client, "/a").body()).isEqualTo("good");
            assertThat(status(get(client, "/a"))).isEqualTo("Lychgate; hit; ttl=60");
        }
    }

    // ---- removing a stored response

    @ParameterizedTest
    @ValueSource(strings = {"Cache-Control: no-cache, no-store", "Cookie: a=b\r\nCache-Control: no-cache"})
    void keepsTheStoredResponseIfOneClientMayNotStoreItsOwn(String lines) throws Exception {
        AtomicInteger count = new AtomicInteger();
        try (ScriptedOrigin origin = ScriptedOrigin.answeringWhoStays((request, connection) ->
                        connection.send(Responses.of(200, "n" + count.incrementAndGet(), FRESH)));
                Running gateway = cached(origin, CACHE).start();
                RawClient client = gateway.client()) {
            get(client, "/a");
            assertThat(get(client, "/a", lines).body()).isEqualTo("n2");
            assertThat(get(client, "/a").body()).isEqualTo("n1");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {400, 401, 403, 413, 429, 431})
    void keepsTheStoredResponseIfTheOriginRefusesTheRequestOfOneClient(int status) throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.answeringWhoStays((request, connection) -> connection.send(
                        request.has("x-attack") ? Responses.of(status, "bad") : Responses.of(200, "good", FRESH)));
                Running gateway = cached(origin, CACHE).start();
                RawClient client = gateway.client()) {
            get(client, "/a");
            assertThat(get(client, "/a", "Cache-Control: no-cache", "X-Attack: 1")
                            .status())
                    .isEqualTo(status);
            assertThat(status(get(client, "/a"))).isEqualTo("Lychgate; hit; ttl=60");
            assertThat(origin.requestsSeen()).isEqualTo(2);
        }
    }

    @Test
    void removesTheStoredResponseIfTheResourceIsGone() throws Exception {
        AtomicInteger count = new AtomicInteger();
        try (ScriptedOrigin origin = ScriptedOrigin.answeringWhoStays((request, connection) -> connection.send(
                        count.incrementAndGet() == 2
                                ? Responses.of(404, "gone", "Cache-Control: no-store")
                                : Responses.of(200, "n" + count.get(), FRESH)));
                Running gateway = cached(origin, CACHE).start();
                RawClient client = gateway.client()) {
            get(client, "/a");
            assertThat(get(client, "/a", "Cache-Control: no-cache").status()).isEqualTo(404);
            assertThat(get(client, "/a").body()).isEqualTo("n3");
        }
    }

    // ---- changing the fields of a stored response

    @Test
    void keepsTheFieldsOfAValidationWithCredentialsFromOthers() throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.answeringWhoStays((request, connection) -> connection.send(
                        request.has("if-none-match")
                                ? Responses.head(304, FRESH, "ETag: \"1\"", "X-User: alice", "Age: 0") + "\r\n"
                                : Responses.of(200, "good", FRESH, "ETag: \"1\"", "Age: 100", "X-User: none")));
                Running gateway = cached(origin, CACHE).start();
                RawClient client = gateway.client()) {
            get(client, "/a");
            RawMessage own = get(client, "/a", "Cookie: session=alice");
            assertThat(own.value("x-user")).contains("alice");
            assertThat(own.body()).isEqualTo("good");
            RawMessage other = get(client, "/a");
            assertThat(status(other)).isEqualTo("Lychgate; hit; ttl=60");
            assertThat(other.value("x-user")).contains("none");
        }
    }

    // ---- occupying memory

    @Test
    void countsBytesThatASlowClientReadsThroughFilters() throws Exception {
        String body = "0123456789abcdef".repeat(60_000);
        FilterSet filters = FilterSet.of(TestFilter.outbound(exchange -> {
            exchange.getResponse().getHeaders().set("x-a", "b");
            return exchange.proceed();
        }));
        try (ScriptedOrigin origin =
                        ScriptedOrigin.answeringWhoStays((r, c) -> c.send(Responses.of(200, body, FRESH)));
                Running gateway = cached(origin, CACHE)
                        .filters(filters)
                        .socket(smallSendBuffer())
                        .start()) {
            try (RawClient client = gateway.client()) {
                assertThat(get(client, "/a").body()).isEqualTo(body);
            }
            try (RawClient slow =
                    RawClient.connectWithReceiveBuffer(gateway.gateway().address("main"), 4096)) {
                RawMessage head =
                        slow.send("GET /a HTTP/1.1\r\nHost: shop\r\n\r\n").readHead();
                assertThat(head.value("x-a")).contains("b");
                assertThat(caches(gateway).purgeAll()).isEqualTo(1);
                assertThat(caches(gateway).bytes()).isGreaterThanOrEqualTo(body.length());
                assertThat(new String(slow.readBytes(body.length()), US_ASCII)).isEqualTo(body);
            }
            eventually(() -> assertThat(caches(gateway).bytes()).isZero());
        }
    }

    /** Without a bound, the system may take the whole body from the gateway. */
    private static SocketOptions smallSendBuffer() {
        SocketOptions d = SocketOptions.DEFAULT;
        return new SocketOptions(
                d.backlog(),
                d.reusePort(),
                d.receiveBuffer(),
                new ByteSize(16 << 10),
                d.lowWatermark(),
                d.highWatermark());
    }

    // ---- using the other generation of a rollout

    @Test
    void sharesNoStoredResponsesWithACandidateThatHasOtherOrigins() throws Exception {
        try (ScriptedOrigin stable = CachedOrigin.numbering(FRESH);
                ScriptedOrigin next = ScriptedOrigin.answeringWhoStays(
                        (request, connection) -> connection.send(Responses.of(200, "candidate", FRESH)));
                Running gateway = cached(stable, CACHE).start();
                RawClient client = gateway.client()) {
            gateway.gateway().introduce(cached(next, CACHE).config(), FilterSet.EMPTY, included());
            assertThat(get(client, "/a", "X-Canary: yes").body()).isEqualTo("candidate");
            assertThat(get(client, "/a").body()).isEqualTo("n1");
            assertThat(get(client, "/a", "X-Canary: yes").body()).isEqualTo("candidate");
            assertThat(next.requestsSeen()).isEqualTo(1);
            gateway.gateway().withdraw();
            assertThat(get(client, "/a", "X-Canary: yes").body()).isEqualTo("n1");
        }
    }

    @Test
    void sharesStoredResponsesWithACandidateThatDiffersElsewhere() throws Exception {
        try (ScriptedOrigin origin = CachedOrigin.numbering(FRESH);
                Running gateway = cached(origin, CACHE).start();
                RawClient client = gateway.client()) {
            get(client, "/a");
            gateway.gateway().introduce(gateway.gateway().generation().config(), FilterSet.EMPTY, included());
            assertThat(get(client, "/a", "X-Canary: yes").body()).isEqualTo("n1");
            gateway.gateway().promote();
            assertThat(get(client, "/a").body()).isEqualTo("n1");
        }
    }
}
