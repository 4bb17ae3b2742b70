package dev.lychgate.gateway;

import static dev.lychgate.gateway.Problems.assertProblem;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.chain.FilterSet;
import dev.lychgate.config.LimitKey;
import dev.lychgate.config.RateLimitConfig;
import dev.lychgate.config.RateLimitConfig.Mode;
import dev.lychgate.config.RequestRate;
import dev.lychgate.config.RouteAction;
import dev.lychgate.error.ErrorKind;
import dev.lychgate.limit.RateLimits;
import dev.lychgate.testing.Answers;
import dev.lychgate.testing.Http2Answer;
import dev.lychgate.testing.Http2Client;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.RawMessage;
import dev.lychgate.testing.ScriptedOrigin;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Rate limits of listeners and routes, with real sockets. The rates are so low that no unit becomes available during a test. */
@Tag("slow")
class RateLimitsTest {
    private final ScriptedOrigin origin = ScriptedOrigin.answering((r, c) -> c.send(Answers.ok("x")));

    @AfterEach
    void stop() {
        origin.close();
    }

    private static RateLimitConfig limit(String rate, Mode mode, String... key) {
        List<LimitKey> keys = Arrays.stream(key).map(LimitKey::parse).toList();
        return new RateLimitConfig(keys, RequestRate.parse(rate), 0, mode, 1000);
    }

    private static RateLimitConfig limit(String rate, String... key) {
        return limit(rate, Mode.ENFORCE, key);
    }

    private Setup setup() {
        return Setup.to(origin.address());
    }

    private static int status(RawClient client, String path, String... fields) throws Exception {
        return send(client, path, fields).status();
    }

    private static RawMessage send(RawClient client, String path, String... fields) throws Exception {
        StringBuilder request = new StringBuilder("GET " + path + " HTTP/1.1\r\nHost: a\r\n");
        for (String field : fields) {
            request.append(field).append("\r\n");
        }
        return client.send(request + "\r\n").readResponse();
    }

    @Test
    void requestsBeyondTheLimitOfARouteAreRefusedAndAnnounced() throws Exception {
        try (Running gateway = setup().rateLimit("slow", limit("3/h", "client"))
                        .limited("api", "/**", "slow")
                        .start();
                RawClient client = gateway.client()) {
            for (int left = 2; left >= 0; left--) {
                RawMessage admitted = send(client, "/");
                assertThat(admitted.status()).isEqualTo(200);
                assertThat(admitted.value("ratelimit-policy")).contains("\"slow\";q=3;w=3600");
                assertThat(admitted.value("ratelimit")).hasValueSatisfying(value -> assertThat(value).matches(
                        "\"slow\";r=[0-2];t=\\d+"));
                assertThat(admitted.value("ratelimit").orElseThrow()).contains(";r=" + left + ";");
            }
            RawMessage refused = send(client, "/");
            assertProblem(refused, 429, ErrorKind.RATE_LIMITED);
            assertThat(refused.body()).contains("the rate limit slow admits no more requests now");
            assertThat(Integer.parseInt(refused.value("retry-after").orElseThrow())).isBetween(1190, 1200);
            assertThat(refused.value("ratelimit").orElseThrow()).startsWith("\"slow\";r=0;t=1");
            assertThat(origin.requestsSeen()).isEqualTo(3);
        }
    }

    @Test
    void routesThatNameALimitShareItsBuckets() throws Exception {
        try (Running gateway = setup().rateLimit("both", limit("4/h", "client"))
                        .limited("a", "/a/**", "both")
                        .limited("b", "/b/**", "both")
                        .limited("free", "/**")
                        .start();
                RawClient client = gateway.client()) {
            assertThat(status(client, "/a/1")).isEqualTo(200);
            assertThat(status(client, "/b/1")).isEqualTo(200);
            assertThat(status(client, "/a/2")).isEqualTo(200);
            assertThat(status(client, "/b/2")).isEqualTo(200);
            assertThat(status(client, "/a/3")).isEqualTo(429);
            assertThat(status(client, "/b/3")).isEqualTo(429);
            RawMessage free = send(client, "/free");
            assertThat(free.status()).isEqualTo(200);
            assertThat(free.value("ratelimit")).isEmpty();
        }
    }

    @Test
    void theRouteCanBeAPartOfTheKey() throws Exception {
        try (Running gateway = setup().rateLimit("each", limit("1/h", "client", "route"))
                        .limited("a", "/a/**", "each")
                        .limited("b", "/b/**", "each")
                        .start();
                RawClient client = gateway.client()) {
            assertThat(status(client, "/a/1")).isEqualTo(200);
            assertThat(status(client, "/b/1")).isEqualTo(200);
            assertThat(status(client, "/a/2")).isEqualTo(429);
            assertThat(status(client, "/b/2")).isEqualTo(429);
        }
    }

    @Test
    void fieldsCookiesAndParametersSelectBuckets() throws Exception {
        try (Running gateway = setup().rateLimit("tenant", limit("1/h", "header:x-tenant"))
                        .rateLimit("session", limit("1/h", "cookie:sid"))
                        .rateLimit("project", limit("1/h", "query:project"))
                        .limited("t", "/t", "tenant")
                        .limited("s", "/s", "session")
                        .limited("p", "/p", "project")
                        .start();
                RawClient client = gateway.client()) {
            assertThat(status(client, "/t", "X-Tenant: one")).isEqualTo(200);
            assertThat(status(client, "/t", "X-Tenant: two")).isEqualTo(200);
            assertThat(status(client, "/t", "X-Tenant: one")).isEqualTo(429);
            assertThat(status(client, "/s", "Cookie: a=b; sid=1")).isEqualTo(200);
            assertThat(status(client, "/s", "Cookie: sid=2")).isEqualTo(200);
            assertThat(status(client, "/s", "Cookie: sid=1; a=c")).isEqualTo(429);
            assertThat(status(client, "/p?project=1&x=y")).isEqualTo(200);
            assertThat(status(client, "/p?project=2")).isEqualTo(200);
            assertThat(status(client, "/p?x=z&pro%6Aect=1")).isEqualTo(429);
        }
    }

    @Test
    void requestsWithoutTheValueAreCountedByClient() throws Exception {
        try (Running gateway = setup().rateLimit("tenant", limit("1/h", "header:x-tenant"))
                        .limited("t", "/**", "tenant")
                        .start();
                RawClient client = gateway.client();
                RawClient another = gateway.client()) {
            assertThat(status(client, "/")).isEqualTo(200);
            assertThat(status(another, "/")).isEqualTo(429);
            assertThat(status(client, "/", "X-Tenant: ")).isEqualTo(429);
            assertThat(status(client, "/", "X-Tenant: one")).isEqualTo(200);
        }
    }

    @Test
    void aRequestThatOneLimitRefusesIsNotCountedByTheOthers() throws Exception {
        try (Running gateway = setup().rateLimit("tenant", limit("3/h", "header:x-tenant"))
                        .rateLimit("user", limit("1/h", "header:x-user"))
                        .limited("t", "/**", "tenant", "user")
                        .start();
                RawClient client = gateway.client()) {
            assertThat(status(client, "/", "x-tenant: t", "x-user: greedy")).isEqualTo(200);
            for (int i = 0; i < 5; i++) {
                RawMessage refused = send(client, "/", "x-tenant: t", "x-user: greedy");
                assertThat(refused.body()).contains("the rate limit user ");
            }
            assertThat(status(client, "/", "x-tenant: t", "x-user: b")).isEqualTo(200);
            assertThat(status(client, "/", "x-tenant: t", "x-user: c")).isEqualTo(200);
            RawMessage refused = send(client, "/", "x-tenant: t", "x-user: d");
            assertThat(refused.body()).contains("the rate limit tenant ");
        }
    }

    @Test
    void aListenerLimitsEveryRequestBeforeTheRouteMatch() throws Exception {
        try (Running gateway = setup().rateLimit("flood", limit("2/h", "client"))
                        .limitedBy("flood")
                        .route("fixed", "/fixed", new RouteAction.Respond(204, Map.of(), null))
                        .start();
                RawClient client = gateway.client()) {
            assertThat(status(client, "/unknown")).isEqualTo(404);
            assertThat(status(client, "/fixed")).isEqualTo(204);
            assertThat(status(client, "/unknown")).isEqualTo(429);
            assertThat(status(client, "/fixed")).isEqualTo(429);
        }
    }

    @Test
    void aLimitThatListenerAndRouteNameCountsOnce() throws Exception {
        try (Running gateway = setup().rateLimit("once", limit("2/h", "client"))
                        .limitedBy("once")
                        .limited("api", "/**", "once")
                        .start();
                RawClient client = gateway.client()) {
            assertThat(status(client, "/")).isEqualTo(200);
            assertThat(status(client, "/")).isEqualTo(200);
            assertThat(status(client, "/")).isEqualTo(429);
        }
    }

    @Test
    void inShadowModeNothingIsRefusedOrAnnounced() throws Exception {
        try (Running gateway = setup().rateLimit("trial", limit("1/h", Mode.SHADOW, "client"))
                        .limited("api", "/**", "trial")
                        .start();
                RawClient client = gateway.client()) {
            for (int i = 0; i < 3; i++) {
                RawMessage admitted = send(client, "/");
                assertThat(admitted.status()).isEqualTo(200);
                assertThat(admitted.value("ratelimit")).isEmpty();
                assertThat(admitted.value("ratelimit-policy")).isEmpty();
            }
            RateLimits limits = gateway.gateway().generation().rateLimits();
            assertThat(limits).isNotNull();
            assertThat(limits.all()).singleElement().satisfies(limit -> {
                assertThat(limit.admitted()).isEqualTo(1);
                assertThat(limit.refused()).isEqualTo(2);
            });
        }
    }

    @Test
    void streamsOfHttp2AndGrpcCallsAreLimitedToo() throws Exception {
        try (Running gateway = setup().rateLimit("one", limit("1/h", "client"))
                        .limited("api", "/**", "one")
                        .start();
                Http2Client client = gateway.http2()) {
            assertThat(client.get(1, "/").response(1).status()).isEqualTo(200);
            assertThat(client.get(3, "/").response(3).status()).isEqualTo(429);
            Http2Answer call = client.post(5, "/", "content-type", "application/grpc").response(5);
            assertThat(call.value("grpc-status")).contains("8");
        }
    }

    @Test
    void exactlyTheBurstIsAdmittedOverAllLoops() throws Exception {
        int clients = 8;
        try (Running gateway = setup().workers(2)
                        .rateLimit("exact", limit("100/d", "header:x-tenant"))
                        .limited("api", "/**", "exact")
                        .route("none", "/none", new RouteAction.Respond(204, Map.of(), null))
                        .start()) {
            ExecutorService pool = Executors.newFixedThreadPool(clients);
            try {
                List<Callable<Integer>> tasks = new ArrayList<>();
                for (int i = 0; i < clients; i++) {
                    tasks.add(() -> {
                        int admitted = 0;
                        try (RawClient client = gateway.client()) {
                            for (int n = 0; n < 40; n++) {
                                admitted += status(client, "/", "x-tenant: t") == 200 ? 1 : 0;
                            }
                        }
                        return admitted;
                    });
                }
                int admitted = 0;
                for (Future<Integer> each : pool.invokeAll(tasks)) {
                    admitted += each.get();
                }
                assertThat(admitted).isEqualTo(100);
            } finally {
                pool.shutdownNow();
            }
        }
    }

    @Test
    void bucketsOutliveAReloadWithTheSameSettings() throws Exception {
        Setup before = setup().rateLimit("kept", limit("1/h", "client"))
                .rateLimit("changed", limit("1/h", "client"))
                .limited("k", "/kept", "kept")
                .limited("c", "/changed", "changed");
        Setup after = setup().rateLimit("kept", limit("1/h", "client"))
                .rateLimit("changed", limit("2/h", "client"))
                .limited("k", "/kept", "kept")
                .limited("c", "/changed", "changed");
        try (Running gateway = before.start();
                RawClient client = gateway.client()) {
            assertThat(status(client, "/kept")).isEqualTo(200);
            assertThat(status(client, "/changed")).isEqualTo(200);
            gateway.gateway().apply(after.config(), FilterSet.EMPTY);

            assertThat(status(client, "/kept")).isEqualTo(429);
            assertThat(status(client, "/changed")).isEqualTo(200);
        }
    }
}
