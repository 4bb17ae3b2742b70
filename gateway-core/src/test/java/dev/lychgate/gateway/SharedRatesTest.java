package dev.lychgate.gateway;

import static dev.lychgate.gateway.Problems.assertProblem;
import static dev.lychgate.testing.Eventually.eventually;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lychgate.chain.FilterSet;
import dev.lychgate.config.ConfigException;
import dev.lychgate.config.LimitKey;
import dev.lychgate.config.Rate;
import dev.lychgate.config.RateLimitConfig;
import dev.lychgate.config.RateLimitConfig.Mode;
import dev.lychgate.config.RateLimitConfig.OnLoss;
import dev.lychgate.config.RateLimitConfig.Scope;
import dev.lychgate.config.RateLimitConfig.Unit;
import dev.lychgate.error.ErrorKind;
import dev.lychgate.limit.SharedLimit;
import dev.lychgate.testing.Http2Client;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.RawMessage;
import dev.lychgate.testing.Responses;
import dev.lychgate.testing.ScriptedOrigin;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Rate limits that gateways share, with real sockets and a store in this process. */
@Tag("slow")
class SharedRatesTest {
    private static final int LONG = 10_000;
    /** In milliseconds: the store responds within it, even on a busy machine. */
    private static final int SHORT = 500;

    private final ScriptedOrigin origin = ScriptedOrigin.answering((r, c) -> c.send(Responses.ok("x")));
    private HeldStore store = new HeldStore(LONG);

    @AfterEach
    void stop() {
        store.close();
        origin.close();
    }

    private static RateLimitConfig limit(String rate, Mode mode, OnLoss onLoss, Unit unit) {
        return new RateLimitConfig(
                List.of(LimitKey.parse("header:x-tenant")), Rate.parse(rate), 0, unit, mode, 1000, Scope.FLEET, onLoss);
    }

    private static RateLimitConfig limit(String rate) {
        return limit(rate, Mode.ENFORCE, OnLoss.SHARE, Unit.REQUESTS);
    }

    private Setup setup() {
        return Setup.to(origin.address()).filters(FilterSet.EMPTY.withBuckets(store));
    }

    private static RawMessage send(RawClient client, String... fields) throws Exception {
        StringBuilder request = new StringBuilder("GET / HTTP/1.1\r\nHost: a\r\n");
        for (String field : fields) {
            request.append(field).append("\r\n");
        }
        return client.send(request + "\r\n").readResponse();
    }

    private static int status(RawClient client, String... fields) throws Exception {
        return send(client, fields).status();
    }

    private static SharedLimit shared(Running gateway) {
        return requireNonNull(requireNonNull(gateway.gateway().generation().rateLimits())
                .all()
                .iterator()
                .next()
                .shared());
    }

    @Test
    void gatewaysShareTheUnitsOfAnExactLimit() throws Exception {
        Setup both = setup().rateLimit("tenants", limit("4/h")).limited("api", "/**", "tenants");
        try (Running one = both.start();
                Running another = both.start();
                RawClient first = one.client();
                RawClient second = another.client()) {
            RawMessage admitted = send(first, "x-tenant: t");
            assertThat(admitted.status()).isEqualTo(200);
            assertThat(admitted.value("ratelimit-policy")).contains("\"tenants\";q=4;w=3600");
            assertThat(admitted.value("ratelimit").orElseThrow()).startsWith("\"tenants\";r=3;");
            assertThat(status(second, "x-tenant: t")).isEqualTo(200);
            assertThat(status(first, "x-tenant: t")).isEqualTo(200);
            assertThat(status(second, "x-tenant: t")).isEqualTo(200);
            RawMessage refused = send(first, "x-tenant: t");
            assertProblem(refused, 429, ErrorKind.RATE_LIMITED);
            assertThat(refused.body()).contains("the rate limit tenants admits no more requests now");
            assertThat(Integer.parseInt(refused.value("retry-after").orElseThrow()))
                    .isBetween(890, 900);
            assertThat(status(second, "x-tenant: t")).isEqualTo(429);
            assertThat(status(second, "x-tenant: u")).isEqualTo(200);
            assertThat(shared(one).isExact()).isTrue();
        }
    }

    /** Whether a request was refused because the store has no units left, and not because it has not responded yet. */
    private static boolean meetsAnEmptyStore(RawMessage response) {
        return response.status() == 429
                && Integer.parseInt(response.value("retry-after").orElseThrow()) > 1;
    }

    @Test
    void gatewaysShareTheUnitsOfALeasedLimit() throws Exception {
        // The store regains nothing: 200 units in all, and the debts of two gateways.
        Setup both = setup().rateLimit("tenants", limit("200/s")).limited("api", "/**", "tenants");
        try (Running one = both.start();
                Running another = both.start();
                RawClient first = one.client();
                RawClient second = another.client()) {
            int admitted = 0;
            boolean empty = false;
            while (!empty) {
                RawMessage ofOne = send(first, "x-tenant: t");
                RawMessage ofAnother = send(second, "x-tenant: t");
                admitted += ofOne.status() == 200 ? 1 : 0;
                admitted += ofAnother.status() == 200 ? 1 : 0;
                empty = meetsAnEmptyStore(ofOne) && meetsAnEmptyStore(ofAnother);
            }
            assertThat(shared(one).isExact()).isFalse();
            assertThat(shared(one).lease()).isEqualTo(10);
            assertThat(admitted).isBetween(180, 200 + 2 * (10 + 10));
            assertThat(store.questions()).isLessThan(200);
        }
    }

    @Test
    void aRequestWaitsForTheStoreWithItsBodyAndOthersOfTheLoopDoNot() throws Exception {
        try (Running gateway = setup().rateLimit("tenants", limit("9/h"))
                        .limited("api", "/**", "tenants")
                        .start();
                RawClient waiting = gateway.client();
                RawClient leaving = gateway.client();
                Http2Client streams = gateway.http2()) {
            store.hold();
            waiting.send("POST / HTTP/1.1\r\nHost: a\r\nx-tenant: t\r\nContent-Length: 10\r\n\r\n01234");
            leaving.send("GET / HTTP/1.1\r\nHost: a\r\nx-tenant: t\r\n\r\n");
            streams.get(1, "/");
            eventually(() -> assertThat(store.questions()).isEqualTo(3));
            leaving.reset();
            assertThat(gateway.nextOutcome()).isNotNull();
            assertThat(origin.requestsSeen()).isZero();
            waiting.send("56789");
            store.release();
            assertThat(waiting.readResponse().status()).isEqualTo(200);
            assertThat(streams.response(1).status()).isEqualTo(200);
            // The unit of the client that has left is returned.
            eventually(() -> assertThat(store.questions()).isEqualTo(4));
            assertThat(send(waiting, "x-tenant: t").value("ratelimit").orElseThrow())
                    .startsWith("\"tenants\";r=7;");
        }
    }

    @Test
    void theBodyOfARequestThatHasWaitedFollowsOnAConnectionOfThePool() throws Exception {
        try (Running gateway = setup().rateLimit("tenants", limit("9/h"))
                        .limited("api", "/**", "tenants")
                        .start();
                RawClient client = gateway.client()) {
            assertThat(status(client, "x-tenant: u")).isEqualTo(200);
            store.hold();
            client.send("POST / HTTP/1.1\r\nHost: a\r\nx-tenant: t\r\nContent-Length: 10\r\n\r\n01234");
            eventually(() -> assertThat(store.questions()).isEqualTo(2));
            store.release();
            client.send("56789");
            assertThat(client.readResponse().status()).isEqualTo(200);
            assertThat(origin.connectionsAccepted()).isEqualTo(1);
        }
    }

    @Test
    void anExactLimitWaitsNoLongerThanTheDeadlineAndThenNotAtAll() throws Exception {
        store.close();
        store = new HeldStore(SHORT);
        try (Running gateway = setup().rateLimit("tenants", limit("4/h"))
                        .limited("api", "/**", "tenants")
                        .start();
                RawClient client = gateway.client()) {
            assertThat(status(client, "x-tenant: warm")).isEqualTo(200);
            store.hold();
            long begin = System.nanoTime();
            assertThat(status(client, "x-tenant: t"))
                    .as("a share of 2 of 4 units")
                    .isEqualTo(200);
            assertThat(System.nanoTime() - begin).isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(SHORT));
            assertThat(shared(gateway).isLost()).isTrue();
            int questions = store.questions();
            assertThat(status(client, "x-tenant: t")).isEqualTo(200);
            for (int i = 0; i < 20; i++) {
                assertThat(status(client, "x-tenant: t")).isEqualTo(429);
            }
            assertThat(store.questions()).as("one asks whether it is back").isLessThanOrEqualTo(questions + 1);
            store.release();
            eventually(() -> assertThat(shared(gateway).isLost()).isFalse());
            // Both units are charged: two of four are left.
            assertThat(send(client, "x-tenant: t").value("ratelimit").orElseThrow())
                    .startsWith("\"tenants\";r=1;");
            assertThat(shared(gateway).onLossDecisions()).isEqualTo(22);
        }
    }

    @Test
    void aLossAdmitsOrRefusesAllWithOpenOrClosed() throws Exception {
        store.close();
        store = new HeldStore(10);
        try (Running gateway = setup().rateLimit("open", limit("1/h", Mode.ENFORCE, OnLoss.OPEN, Unit.REQUESTS))
                        .rateLimit("closed", limit("1000/s", Mode.ENFORCE, OnLoss.CLOSED, Unit.REQUESTS))
                        .limited("open", "/open", "open")
                        .limited("closed", "/closed", "closed")
                        .start();
                RawClient client = gateway.client()) {
            store.hold();
            for (int i = 0; i < 5; i++) {
                assertThat(client.get("/open").status()).isEqualTo(200);
            }
            RawMessage refused = client.get("/closed");
            assertProblem(refused, 429, ErrorKind.RATE_LIMITED);
            assertThat(refused.value("retry-after")).contains("1");
        }
    }

    @Test
    void aRequestThatAnotherLimitRefusesReturnsItsUnit() throws Exception {
        try (Running gateway = setup().rateLimit("shared", limit("3/h"))
                        .rateLimit("leased", limit("100/s"))
                        .rateLimit("small", RateLimitConfig.of("1/h"))
                        .limited("api", "/**", "shared", "leased", "small")
                        .start();
                RawClient client = gateway.client()) {
            assertThat(status(client, "x-tenant: t")).isEqualTo(200);
            for (int i = 0; i < 10; i++) {
                RawMessage refused = send(client, "x-tenant: t");
                assertThat(refused.body()).contains("the rate limit small ");
            }
        }
    }

    @Test
    void inShadowModeNothingIsRefusedAndBytesAreCountedAfterwards() throws Exception {
        try (Running gateway = setup().rateLimit("shadow", limit("1/h", Mode.SHADOW, OnLoss.SHARE, Unit.REQUESTS))
                        .rateLimit("bytes", limit("3/d", Mode.ENFORCE, OnLoss.SHARE, Unit.BYTES))
                        .limited("api", "/**", "shadow", "bytes")
                        .start();
                RawClient client = gateway.client()) {
            // Each response has one byte.
            RawMessage admitted = send(client, "x-tenant: t");
            assertThat(admitted.status()).isEqualTo(200);
            assertThat(admitted.values("ratelimit")).containsExactly("\"bytes\";r=3;t=1");
            assertThat(status(client, "x-tenant: t")).isEqualTo(200);
            assertThat(status(client, "x-tenant: t")).isEqualTo(200);
            eventually(() -> assertThat(status(client, "x-tenant: t")).isEqualTo(429));
        }
    }

    @Test
    void bucketsAndLeasesOutliveAReloadWithTheSameStoreOnly() throws Exception {
        Setup before = setup().rateLimit("tenants", limit("200/s")).limited("api", "/**", "tenants");
        try (Running gateway = before.start();
                RawClient client = gateway.client();
                HeldStore other = new HeldStore(LONG)) {
            SharedLimit first = shared(gateway);
            assertThat(status(client, "x-tenant: t")).isEqualTo(200);
            gateway.gateway().apply(before.config(), FilterSet.EMPTY.withBuckets(store));
            assertThat(shared(gateway)).isSameAs(first);
            gateway.gateway().apply(before.config(), FilterSet.EMPTY.withBuckets(other));
            assertThat(shared(gateway)).isNotSameAs(first);
            assertThat(status(client, "x-tenant: t")).isEqualTo(200);
            eventually(() -> assertThat(other.questions()).isPositive());
        }
    }

    @Test
    void aSharedLimitWithoutAStoreIsRefused() throws Exception {
        Setup shared = setup().rateLimit("tenants", limit("200/s")).limited("api", "/**", "tenants");
        try (Running gateway = setup().start()) {
            assertThatThrownBy(() -> gateway.gateway().apply(shared.config(), FilterSet.EMPTY))
                    .isInstanceOf(ConfigException.class)
                    .hasMessage("rate-limits.tenants.scope: fleet (expected: local, or a section of extensions that"
                            + " provides a store of rate limits, such as redis)");
        }
    }
}
