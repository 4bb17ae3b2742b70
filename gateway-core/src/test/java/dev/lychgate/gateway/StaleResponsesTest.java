package dev.lychgate.gateway;

import static dev.lychgate.gateway.CachedOrigin.CACHE;
import static dev.lychgate.gateway.CachedOrigin.cached;
import static dev.lychgate.gateway.CachedOrigin.get;
import static dev.lychgate.gateway.CachedOrigin.status;
import static dev.lychgate.testing.Eventually.eventually;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.cache.CacheOutcome;
import dev.lychgate.cache.ResponseCaches;
import dev.lychgate.testing.Gate;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.RawMessage;
import dev.lychgate.testing.Responses;
import dev.lychgate.testing.ScriptedOrigin;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Stale responses that are sent while the gateway validates them, and in place of failures (RFC 5861). */
@Tag("slow")
class StaleResponsesTest {
    private static final String WHILE_REVALIDATE = "Cache-Control: max-age=60, stale-while-revalidate=600";
    private static final String IF_ERROR = "Cache-Control: max-age=60, stale-if-error=600";
    private static final String OLD = "Age: 100";
    private static final String TAG = "ETag: \"1\"";

    private static long counted(Running gateway, CacheOutcome outcome) {
        return requireNonNull(
                        requireNonNull(gateway.gateway().generation().caches()).of("all"))
                .counted(outcome);
    }

    // ---- while it is validated

    @Test
    void validatesOnceForAllRequestsThatReceiveTheStaleResponse() throws Exception {
        Gate gate = new Gate();
        AtomicInteger count = new AtomicInteger();
        try (ScriptedOrigin origin = ScriptedOrigin.answeringWhoStays((request, connection) -> {
                    int number = count.incrementAndGet();
                    if (number == 2) {
                        gate.await();
                    }
                    connection.send(
                            Responses.of(200, "n" + number, WHILE_REVALIDATE, number == 1 ? OLD : "Age: 0", TAG));
                });
                Running gateway = cached(origin, CACHE).start();
                RawClient client = gateway.client()) {
            get(client, "/a?b=c", "X-A: b");
            for (int i = 0; i < 5; i++) {
                RawMessage stale = get(client, "/a?b=c", "X-A: b");
                assertThat(stale.body()).isEqualTo("n1");
                assertThat(status(stale)).isEqualTo("Lychgate; hit; ttl=-40");
            }
            eventually(() -> assertThat(origin.requestsSeen()).isEqualTo(2));
            RawMessage validation = origin.requests().get(1);
            assertThat(validation.target()).isEqualTo("/a?b=c");
            assertThat(validation.value("host")).contains("shop");
            assertThat(validation.value("if-none-match")).contains("\"1\"");
            assertThat(validation.value("x-a")).contains("b");
            for (String name : List.of("x-forwarded-for", "x-forwarded-proto", "via", "x-request-id")) {
                assertThat(validation.has(name)).as(name).isTrue();
            }
            gate.open();
            eventually(() -> assertThat(get(client, "/a?b=c").body()).isEqualTo("n2"));
            assertThat(origin.requestsSeen()).isEqualTo(2);
            assertThat(counted(gateway, CacheOutcome.STALE)).isGreaterThanOrEqualTo(5);
        }
    }

    @Test
    void releasesTheStaleResponseIfTheGatewayStopsDuringTheValidation() throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.answeringWhoStays((request, connection) -> {
            if (request.has("if-none-match")) {
                connection.reset();
            } else {
                connection.send(Responses.of(200, "n1", WHILE_REVALIDATE, OLD, TAG));
            }
        })) {
            for (int i = 0; i < 20; i++) {
                ResponseCaches caches;
                try (Running gateway = cached(origin, CACHE).start();
                        RawClient client = gateway.client()) {
                    get(client, "/a");
                    assertThat(get(client, "/a").body()).isEqualTo("n1");
                    caches = requireNonNull(gateway.gateway().generation().caches());
                }
                eventually(() -> assertThat(caches.bytes()).isZero());
            }
        }
    }

    @Test
    void updatesTheResponseIfTheOriginConfirmsItInTheBackground() throws Exception {
        try (ScriptedOrigin origin = CachedOrigin.validating(
                        new String[] {WHILE_REVALIDATE, OLD, TAG}, "Cache-Control: max-age=90", TAG);
                Running gateway = cached(origin, CACHE).start();
                RawClient client = gateway.client()) {
            get(client, "/a");
            assertThat(get(client, "/a").body()).isEqualTo("n1");
            eventually(() -> assertThat(status(get(client, "/a"))).isEqualTo("Lychgate; hit; ttl=90"));
            assertThat(origin.requestsSeen()).isEqualTo(2);
        }
    }

    @Test
    void validatesAgainAfterAValidationThatFailed() throws Exception {
        AtomicInteger count = new AtomicInteger();
        try (ScriptedOrigin origin = ScriptedOrigin.answeringWhoStays((request, connection) -> {
                    int number = count.incrementAndGet();
                    connection.send(
                            number == 2
                                    ? Responses.of(503, "down")
                                    : Responses.of(
                                            200, "n" + number, WHILE_REVALIDATE, number == 1 ? OLD : "Age: 0", TAG));
                });
                Running gateway = cached(origin, CACHE).start();
                RawClient client = gateway.client()) {
            get(client, "/a");
            eventually(() -> assertThat(get(client, "/a").body()).isEqualTo("n3"));
            assertThat(origin.requestsSeen()).isEqualTo(3);
        }
    }

    @Test
    void usesTheTimeOfTheRouteIfTheResponseStatesNone() throws Exception {
        try (ScriptedOrigin origin = CachedOrigin.answering(request -> new String[] {
                    request.target().equals("/strict")
                            ? "Cache-Control: max-age=60, must-revalidate"
                            : "Cache-Control: max-age=60",
                    OLD,
                    TAG
                });
                Running gateway = cached(origin, CACHE.withStale(Duration.ofHours(1), null))
                        .start();
                RawClient client = gateway.client()) {
            get(client, "/a");
            assertThat(status(get(client, "/a"))).isEqualTo("Lychgate; hit; ttl=-40");
            get(client, "/strict");
            assertThat(status(get(client, "/strict"))).startsWith("Lychgate; fwd=stale");
        }
    }

    // ---- in place of failures

    @Test
    void sendsAStaleResponseIfTheOriginRespondsWithAServerError() throws Exception {
        AtomicInteger count = new AtomicInteger();
        try (ScriptedOrigin origin = ScriptedOrigin.answeringWhoStays((request, connection) -> {
                    int number = count.incrementAndGet();
                    connection.send(
                            number == 1
                                    ? Responses.of(200, "n1", IF_ERROR, OLD, TAG)
                                    : Responses.of(
                                            Integer.parseInt(
                                                    request.value("x-status").orElseThrow()),
                                            "down"));
                });
                Running gateway = cached(origin, CACHE).start();
                RawClient client = gateway.client()) {
            get(client, "/a");
            for (String status : List.of("500", "502", "503", "504")) {
                RawMessage stale = get(client, "/a", "X-Status: " + status);
                assertThat(stale.status()).isEqualTo(200);
                assertThat(stale.body()).isEqualTo("n1");
                assertThat(status(stale)).isEqualTo("Lychgate; fwd=stale; fwd-status=" + status + "; ttl=-40");
            }
            assertThat(get(client, "/a", "X-Status: 501").status()).isEqualTo(501);
            assertThat(counted(gateway, CacheOutcome.STALE)).isEqualTo(4);
        }
    }

    @Test
    void sendsAStaleResponseIfTheOriginIsGone() throws Exception {
        ScriptedOrigin origin = ScriptedOrigin.answeringWhoStays(
                (request, connection) -> connection.send(Responses.of(200, "n1", IF_ERROR, OLD, TAG)));
        try (Running gateway = cached(origin, CACHE).start();
                RawClient client = gateway.client()) {
            get(client, "/a");
            origin.close();
            RawMessage stale = get(client, "/a");
            assertThat(stale.status()).isEqualTo(200);
            assertThat(stale.body()).isEqualTo("n1");
            assertThat(status(stale)).isEqualTo("Lychgate; fwd=stale; ttl=-40");
            assertThat(get(client, "/b").status()).isEqualTo(502);
        } finally {
            origin.close();
        }
    }

    @Test
    void reportsTheFailureIfTheResponseForbidsStaleUse() throws Exception {
        AtomicInteger count = new AtomicInteger();
        try (ScriptedOrigin origin = ScriptedOrigin.answeringWhoStays((request, connection) -> connection.send(
                        count.incrementAndGet() == 1
                                ? Responses.of(200, "n1", IF_ERROR + ", must-revalidate", OLD, TAG)
                                : Responses.of(503, "down")));
                Running gateway = cached(origin, CACHE.withStale(null, Duration.ofHours(1)))
                        .start();
                RawClient client = gateway.client()) {
            get(client, "/a");
            assertThat(get(client, "/a").status()).isEqualTo(503);
        }
    }

    @Test
    void usesTheTimeOfTheRouteForFailures() throws Exception {
        AtomicInteger count = new AtomicInteger();
        try (ScriptedOrigin origin = ScriptedOrigin.answeringWhoStays((request, connection) -> connection.send(
                        count.incrementAndGet() == 1
                                ? Responses.of(200, "n1", "Cache-Control: max-age=60", OLD, TAG)
                                : Responses.of(503, "down")));
                Running gateway = cached(origin, CACHE.withStale(null, Duration.ofHours(1)))
                        .start();
                RawClient client = gateway.client()) {
            get(client, "/a");
            assertThat(get(client, "/a").body()).isEqualTo("n1");
        }
    }
}
