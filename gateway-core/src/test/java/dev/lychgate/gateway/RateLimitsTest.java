package dev.lychgate.gateway;

import static dev.lychgate.gateway.Problems.assertProblem;
import static dev.lychgate.testing.Eventually.eventually;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lychgate.chain.FilterSet;
import dev.lychgate.config.ClientsConfig;
import dev.lychgate.config.ConfigException;
import dev.lychgate.config.LimitKey;
import dev.lychgate.config.Rate;
import dev.lychgate.config.RateLimitConfig;
import dev.lychgate.config.RateLimitConfig.Mode;
import dev.lychgate.config.RateLimitConfig.OnLoss;
import dev.lychgate.config.RateLimitConfig.Scope;
import dev.lychgate.config.RateLimitConfig.Unit;
import dev.lychgate.config.RouteAction;
import dev.lychgate.config.WebSocketConfig;
import dev.lychgate.error.ErrorKind;
import dev.lychgate.filter.BodyTransform;
import dev.lychgate.filter.FilterExchange;
import dev.lychgate.filter.FilterOutcome;
import dev.lychgate.filter.Headers;
import dev.lychgate.filter.InboundFilter;
import dev.lychgate.filter.OutboundFilter;
import dev.lychgate.filter.SyncFilter;
import dev.lychgate.limit.HotKey;
import dev.lychgate.limit.RateLimit;
import dev.lychgate.limit.RateLimits;
import dev.lychgate.testing.Gate;
import dev.lychgate.testing.Http2Client;
import dev.lychgate.testing.Http2Response;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.RawMessage;
import dev.lychgate.testing.Responses;
import dev.lychgate.testing.ScriptedOrigin;
import dev.lychgate.testing.WebSockets;
import java.time.Duration;
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
    private final ScriptedOrigin origin = ScriptedOrigin.answering((r, c) -> c.send(Responses.ok("x")));

    @AfterEach
    void stop() {
        origin.close();
    }

    private static RateLimitConfig limit(String rate, Mode mode, String... key) {
        List<LimitKey> keys = Arrays.stream(key).map(LimitKey::parse).toList();
        return new RateLimitConfig(keys, Rate.parse(rate), 0, Unit.REQUESTS, mode, 1000, Scope.LOCAL, OnLoss.SHARE);
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
                assertThat(admitted.value("ratelimit"))
                        .hasValueSatisfying(value -> assertThat(value).matches("\"slow\";r=[0-2];t=\\d+"));
                assertThat(admitted.value("ratelimit").orElseThrow()).contains(";r=" + left + ";");
            }
            RawMessage refused = send(client, "/");
            assertProblem(refused, 429, ErrorKind.RATE_LIMITED);
            assertThat(refused.body()).contains("the rate limit slow admits no more requests now");
            assertThat(Integer.parseInt(refused.value("retry-after").orElseThrow()))
                    .isBetween(1190, 1200);
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

    /** Origins differ in the value that they use, so an invented value beside the real one must not select another bucket. */
    @Test
    void requestsWithSeveralDifferentValuesAreCountedByClient() throws Exception {
        try (Running gateway = setup().rateLimit("tenant", limit("1/h", "header:X-Tenant"))
                        .rateLimit("session", limit("1/h", "cookie:sid"))
                        .rateLimit("project", limit("1/h", "query:project"))
                        .limited("t", "/t", "tenant")
                        .limited("s", "/s", "session")
                        .limited("p", "/p", "project")
                        .start();
                RawClient client = gateway.client()) {
            for (int i = 0; i < 3; i++) {
                int expected = i == 0 ? 200 : 429;
                assertThat(status(client, "/t", "X-Tenant: x" + i, "X-Tenant: real"))
                        .isEqualTo(expected);
                assertThat(status(client, "/t", "X-Tenant: x" + i, "X_Tenant: real"))
                        .isEqualTo(429);
                assertThat(status(client, "/s", "Cookie: sid=x" + i + "; sid=real"))
                        .isEqualTo(expected);
                assertThat(status(client, "/s", "Cookie: sid=x" + i, "Cookie: sid=real"))
                        .isEqualTo(429);
                assertThat(status(client, "/p?project=x" + i + "&project=real")).isEqualTo(expected);
            }
            assertThat(status(client, "/t", "x_tenant: a", "X-Tenant: a"))
                    .as("equal values")
                    .isEqualTo(200);
            assertThat(status(client, "/t", "X-TENANT: a")).isEqualTo(429);
        }
    }

    @Test
    void spellingsOfTheSameCredentialsShareABucket() throws Exception {
        try (Running gateway = setup().rateLimit("keys", limit("1/h", "header:authorization"))
                        .limited("api", "/**", "keys")
                        .start();
                RawClient client = gateway.client()) {
            assertThat(status(client, "/", "Authorization: Bearer abc")).isEqualTo(200);
            assertThat(status(client, "/", "Authorization: bEARER abc")).isEqualTo(429);
            assertThat(status(client, "/", "Authorization: Bearer    abc")).isEqualTo(429);
            assertThat(status(client, "/", "Authorization: Bearer ABC")).isEqualTo(200);
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

    /** The key of the listener's count is the client, because no filter has set the plan yet. */
    @Test
    void aLimitWithAnotherKeyOnTheRouteCountsBothKeysAndIsAnnouncedOnce() throws Exception {
        try (Running gateway = setup().rateLimit("plans", limit("3/h", "header:x-plan"))
                        .limitedBy("plans", "plans")
                        .limited("api", "/**", "plans", "plans")
                        .filters(FilterSet.of(new Plans()))
                        .start();
                RawClient client = gateway.client()) {
            RawMessage first = send(client, "/", "x-credential: a1");
            assertThat(first.values("ratelimit")).hasSize(1);
            assertThat(left(first)).isEqualTo(2);
            assertThat(send(client, "/", "x-credential: b1").status()).isEqualTo(200);
            RateLimit limit =
                    requireNonNull(gateway.gateway().generation().rateLimits()).get("plans");
            assertThat(requireNonNull(limit).keysInUse()).as("client, a and b").isEqualTo(3);
            assertThat(limit.admitted()).isEqualTo(4);
            assertThat(status(client, "/", "x-credential: c1")).isEqualTo(200);
            assertThat(status(client, "/", "x-credential: d1")).as("the client").isEqualTo(429);
        }
    }

    private static String forwarded(String client) {
        return "X-Forwarded-For: " + client;
    }

    @Test
    void aClientBehindATranslatorIsItsIpv4Address() throws Exception {
        try (Running gateway = setup().trusting("127.0.0.0/8")
                        .rateLimit("one", limit("1/h", "client"))
                        .limited("api", "/**", "one")
                        .start();
                RawClient proxy = gateway.client()) {
            assertThat(status(proxy, "/", forwarded("64:ff9b::192.0.2.1"))).isEqualTo(200);
            assertThat(status(proxy, "/", forwarded("64:ff9b::c000:202"))).isEqualTo(200);
            assertThat(status(proxy, "/", forwarded("192.0.2.1"))).isEqualTo(429);
            assertThat(status(proxy, "/", forwarded("::ffff:192.0.2.2"))).isEqualTo(429);
            assertThat(status(proxy, "/", forwarded("64:ff9b::192.0.2.2"))).isEqualTo(429);
        }
    }

    @Test
    void thePrefixThatIdentifiesAClientIsConfigured() throws Exception {
        try (Running gateway = setup().trusting("127.0.0.0/8")
                        .clients(new ClientsConfig(24, 48, 1024, 10))
                        .rateLimit("one", limit("1/h", "client"))
                        .limited("api", "/**", "one")
                        .start();
                RawClient proxy = gateway.client()) {
            assertThat(status(proxy, "/", forwarded("2001:db8:1:2::1"))).isEqualTo(200);
            assertThat(status(proxy, "/", forwarded("2001:db8:1:3::1"))).isEqualTo(429);
            assertThat(status(proxy, "/", forwarded("2001:db8:2::1"))).isEqualTo(200);
            assertThat(status(proxy, "/", forwarded("192.0.2.1"))).isEqualTo(200);
            assertThat(status(proxy, "/", forwarded("192.0.2.2"))).isEqualTo(429);
            assertThat(requireNonNull(requireNonNull(
                                            gateway.gateway().generation().rateLimits())
                                    .get("one"))
                            .hotKeys())
                    .extracting(HotKey::key)
                    .containsExactlyInAnyOrder("client 2001:db8:1::/48", "client 192.0.2.0/24");
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
            Http2Response call =
                    client.post(5, "/", "content-type", "application/grpc").response(5);
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

    @Test
    void aReloadChangesTheLimitsOfAListener() throws Exception {
        Setup before = setup().rateLimit("low", limit("1/h", "client")).limitedBy("low");
        Setup after = setup().rateLimit("low", limit("1/h", "client"));
        try (Running gateway = before.start();
                RawClient client = gateway.client()) {
            assertThat(status(client, "/")).isEqualTo(200);
            assertThat(status(client, "/")).isEqualTo(429);
            gateway.gateway().apply(after.config(), FilterSet.EMPTY);
            assertThat(status(client, "/")).isEqualTo(200);
        }
    }

    private static RateLimitConfig limit(String rate, Unit unit, String... key) {
        List<LimitKey> keys = Arrays.stream(key).map(LimitKey::parse).toList();
        return new RateLimitConfig(keys, Rate.parse(rate), 0, unit, Mode.ENFORCE, 1000, Scope.LOCAL, OnLoss.SHARE);
    }

    /** Takes the cost from the request, after the first byte of the response: a transform sets it. */
    private record Costs() implements OutboundFilter, SyncFilter {
        @Override
        public String name() {
            return "costs";
        }

        @Override
        public FilterOutcome filter(FilterExchange exchange) {
            String cost = exchange.getRequest().getHeaders().get("x-cost");
            if (cost != null) {
                exchange.getResponse().transformBody(new BodyTransform() {
                    @Override
                    public byte[] piece(byte[] piece) {
                        return piece;
                    }

                    @Override
                    public byte[] end() {
                        exchange.setCost(Long.parseLong(cost));
                        return new byte[0];
                    }
                });
            }
            return exchange.proceed();
        }
    }

    /** Sets the plan to the first letter of the credential. */
    private record Plans() implements InboundFilter, SyncFilter {
        @Override
        public String name() {
            return "plans";
        }

        @Override
        public FilterOutcome filter(FilterExchange exchange) {
            Headers headers = exchange.getRequest().getHeaders();
            headers.set("x-plan", requireNonNull(headers.get("x-credential")).substring(0, 1));
            return exchange.proceed();
        }
    }

    private static long left(RawMessage response) {
        return Long.parseLong(response.value("ratelimit").orElseThrow().replaceAll(".*;r=(\\d+);.*", "$1"));
    }

    @Test
    void bytesOfBodiesAreCountedWhenTheExchangeHasEnded() throws Exception {
        // Each response has one byte, each request ten.
        try (Running gateway = setup().rateLimit("bytes", limit("30/d", Unit.BYTES, "client"))
                        .limited("api", "/**", "bytes")
                        .start();
                RawClient client = gateway.client()) {
            for (long left : new long[] {30, 19, 8}) {
                RawMessage response = client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n0123456789")
                        .readResponse();
                assertThat(response.status()).isEqualTo(200);
                assertThat(left(response)).isEqualTo(left);
                assertThat(response.value("ratelimit-policy")).contains("\"bytes\";q=30;w=86400;qu=\"content-bytes\"");
            }
            RawMessage refused = send(client, "/");
            assertProblem(refused, 429, ErrorKind.RATE_LIMITED);
            // Three units of debt: three thirtieths of a day.
            assertThat(Integer.parseInt(refused.value("retry-after").orElseThrow()))
                    .isBetween(8_630, 8_641);
        }
    }

    @Test
    void bytesOfADownloadAreCountedWhileItLastsAndOnce() throws Exception {
        Gate gate = new Gate();
        try (ScriptedOrigin slow = ScriptedOrigin.answering((request, connection) -> {
                    if (request.target().equals("/slow")) {
                        connection.send("HTTP/1.1 200 OK\r\nContent-Length: 150\r\n\r\n" + "x".repeat(100));
                        gate.await();
                        connection.send("x".repeat(50));
                    } else {
                        connection.send("HTTP/1.1 204 No Content\r\n\r\n");
                    }
                });
                Running gateway = Setup.to(slow.address())
                        .rateLimit("bytes", limit("1000/d", Unit.BYTES, "client"))
                        .limited("api", "/**", "bytes")
                        .start();
                RawClient client = gateway.client();
                RawClient another = gateway.client()) {
            client.send("GET /slow HTTP/1.1\r\nHost: a\r\n\r\n");
            eventually(() -> assertThat(left(send(another, "/"))).isEqualTo(900));
            gate.open();
            assertThat(client.readResponse().body()).hasSize(150);
            eventually(() -> assertThat(left(send(another, "/"))).isEqualTo(850));
        }
    }

    @Test
    void bytesOfAWebSocketAreCountedWhileItIsOpen() throws Exception {
        byte[] text = WebSockets.plain(WebSockets.TEXT, "x".repeat(100));
        try (ScriptedOrigin server = ScriptedOrigin.start().onConnection(c -> {
                    WebSockets.accept(c);
                    c.send(text);
                    c.awaitEnd();
                });
                Running gateway = Setup.to(server.address())
                        .webSocket(new WebSocketConfig(List.of(), false, Duration.ZERO, Duration.ZERO, 10))
                        .rateLimit("bytes", limit("50/d", Unit.BYTES, "client"))
                        .limitedBy("bytes")
                        .start();
                RawClient client = gateway.client();
                RawClient another = gateway.client()) {
            assertThat(client.send(WebSockets.handshake("/")).readHead().status())
                    .isEqualTo(101);
            assertThat(client.readBytes(text.length)).isEqualTo(text);
            RateLimit limit =
                    requireNonNull(gateway.gateway().generation().rateLimits()).get("bytes");
            eventually(() -> assertThat(requireNonNull(limit).keysInUse()).isEqualTo(1));
            assertThat(status(another, "/")).isEqualTo(429);
        }
    }

    @Test
    void theCostThatAFilterSetsIsCountedWhenTheExchangeHasEnded() throws Exception {
        FilterSet filters = FilterSet.of(new Costs());
        try (Running gateway = setup().rateLimit("tokens", limit("100/d", Unit.COST, "client"))
                        .limited("api", "/**", "tokens")
                        .filters(filters)
                        .start();
                RawClient client = gateway.client()) {
            RawMessage first = send(client, "/", "x-cost: 60");
            assertThat(left(first)).isEqualTo(100);
            assertThat(first.value("ratelimit-policy")).contains("\"tokens\";q=100;w=86400;qu=\"cost\"");
            assertThat(left(send(client, "/free"))).isEqualTo(40);
            assertThat(left(send(client, "/", "x-cost: 100"))).isEqualTo(40);
            assertThat(status(client, "/free")).isEqualTo(429);
        }
    }

    @Test
    void aGlobalFilterDeterminesTheKeyOfTheRoutesLimits() throws Exception {
        try (Running gateway = setup().rateLimit("plans", limit("1/h", "header:x-plan"))
                        .limited("api", "/**", "plans")
                        .filters(FilterSet.of(new Plans()))
                        .start();
                RawClient client = gateway.client()) {
            assertThat(status(client, "/", "x-credential: a1")).isEqualTo(200);
            assertThat(status(client, "/", "x-credential: a2", "x-plan: invented"))
                    .isEqualTo(429);
            assertThat(status(client, "/", "x-credential: b1")).isEqualTo(200);
        }
    }

    @Test
    void tablesThatWouldExhaustTheHeapAreRefused() throws Exception {
        int most = 10_000_000;
        List<LimitKey> client = List.of(LimitKey.parse("client"));
        RateLimitConfig large = new RateLimitConfig(
                client, Rate.parse("1/s"), 0, Unit.REQUESTS, Mode.ENFORCE, most, Scope.LOCAL, OnLoss.SHARE);
        long places = Integer.highestOneBit(most) * 2L;
        int tooMany = (int) (Runtime.getRuntime().maxMemory() / 4 / (places * 17)) + 1;
        Setup changed = setup();
        for (int i = 0; i < tooMany; i++) {
            changed.rateLimit("limit-" + i, large);
        }
        try (Running gateway = setup().start();
                RawClient after = gateway.client()) {
            assertThatThrownBy(() -> gateway.gateway().apply(changed.config(), FilterSet.EMPTY))
                    .isInstanceOf(ConfigException.class)
                    .hasMessageContaining("rate-limits")
                    .hasMessageContaining("a quarter of the heap; reduce max-keys");
            assertThat(status(after, "/")).isEqualTo(200);
        }
    }

    @Test
    void keysThatAreRefusedOftenAreNamed() throws Exception {
        try (Running gateway = setup().rateLimit("tenants", limit("1/h", "header:x-tenant", "client"))
                        .rateLimit("tokens", limit("1/h", "header:authorization"))
                        .limited("t", "/tenants", "tenants")
                        .limited("k", "/tokens", "tokens")
                        .start();
                RawClient client = gateway.client()) {
            for (int i = 0; i < 4; i++) {
                send(client, "/tenants", "x-tenant: busy");
            }
            send(client, "/tenants", "x-tenant: quiet");
            send(client, "/tokens", "authorization: Bearer s3cret");
            send(client, "/tokens", "authorization: Bearer s3cret");

            List<RateLimit> limits = List.copyOf(
                    requireNonNull(gateway.gateway().generation().rateLimits()).all());
            assertThat(limits.get(0).hotKeys())
                    .containsExactly(new HotKey("header x-tenant: busy, client 127.0.0.1", 3));
            assertThat(limits.get(0).keysInUse()).isEqualTo(2);
            assertThat(limits.get(1).hotKeys()).singleElement().satisfies(hot -> {
                assertThat(hot.key()).matches("header authorization: \\*\\*\\*[0-9a-f]{8}");
                assertThat(hot.refused()).isEqualTo(1);
            });
        }
    }
}
