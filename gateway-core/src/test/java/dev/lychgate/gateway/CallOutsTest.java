package dev.lychgate.gateway;

import static dev.lychgate.gateway.Problems.assertProblem;
import static dev.lychgate.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lychgate.chain.FilterSet;
import dev.lychgate.config.BreakerConfig;
import dev.lychgate.config.EndpointConfig;
import dev.lychgate.config.OriginTlsConfig;
import dev.lychgate.config.Percent;
import dev.lychgate.config.PoolConfig;
import dev.lychgate.config.RetryBudgetConfig;
import dev.lychgate.config.UpstreamConfig;
import dev.lychgate.config.UpstreamProtocol;
import dev.lychgate.config.UpstreamResilience;
import dev.lychgate.error.ErrorKind;
import dev.lychgate.filter.AsyncFilter;
import dev.lychgate.filter.BlockingFilter;
import dev.lychgate.filter.BodyNeed;
import dev.lychgate.filter.CallException;
import dev.lychgate.filter.CallResponse;
import dev.lychgate.filter.FailurePolicy;
import dev.lychgate.filter.Filter;
import dev.lychgate.filter.FilterCall;
import dev.lychgate.filter.FilterExchange;
import dev.lychgate.filter.FilterOutcome;
import dev.lychgate.filter.FilterPhase;
import dev.lychgate.filter.InboundFilter;
import dev.lychgate.loop.MemoryBudget;
import dev.lychgate.resilience.CallEnd;
import dev.lychgate.testing.Certificates;
import dev.lychgate.testing.ConnectionScript;
import dev.lychgate.testing.Gate;
import dev.lychgate.testing.Http2Client;
import dev.lychgate.testing.Http2Origin;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.RawMessage;
import dev.lychgate.testing.RefusingPort;
import dev.lychgate.testing.Responses;
import dev.lychgate.testing.ScriptedOrigin;
import dev.lychgate.testing.TestFilter;
import java.math.BigDecimal;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Call-outs of filters to upstreams, with real sockets: how they are sent, how they fail, and when they end. */
@Tag("slow")
class CallOutsTest {
    private interface Decision {
        CompletionStage<? extends FilterOutcome> on(FilterExchange exchange) throws Exception;
    }

    private record Calls(FilterPhase phase, FailurePolicy onFailure, Duration timeout, Decision decision)
            implements AsyncFilter {
        @Override
        public String name() {
            return "calls";
        }

        @Override
        public CompletionStage<? extends FilterOutcome> filter(FilterExchange exchange) throws Exception {
            return decision.on(exchange);
        }
    }

    private static Filter filter(Decision decision) {
        return new Calls(FilterPhase.INBOUND, FailurePolicy.FAIL_CLOSED, Duration.ofSeconds(10), decision);
    }

    /** Responds with status and body of the call-out. */
    private static Filter relaying(Function<FilterExchange, FilterCall> call) {
        return filter(
                exchange -> call.apply(exchange).send().thenApply(r -> exchange.respond(r.getStatus(), r.getText())));
    }

    private static ScriptedOrigin answers(String text) {
        return ScriptedOrigin.answering((r, c) -> c.send(Responses.ok(text)));
    }

    private static Running gateway(ScriptedOrigin users, Filter... filters) {
        return gateway(users.address(), filters);
    }

    private static Running gateway(InetSocketAddress users, Filter... filters) {
        return Setup.to(users)
                .upstream("users", users)
                .filters(FilterSet.of(filters))
                .start();
    }

    private static RawMessage get(Running gateway) throws Exception {
        try (RawClient client = gateway.client()) {
            return client.get("/");
        }
    }

    private static long calls(Running gateway, CallEnd how) {
        return Objects.requireNonNull(gateway.gateway().generation().upstream("users"))
                .protection()
                .tally()
                .calls(how);
    }

    // ---- requests

    @Test
    void responsesHaveTheirTrailers() throws Exception {
        try (ScriptedOrigin users = ScriptedOrigin.answering((request, connection) -> connection.send(
                        Responses.head(200, "Transfer-Encoding: chunked") + "\r\n2\r\nhi\r\n0\r\nX-Sum: 1\r\n\r\n"));
                Running gateway = gateway(
                        users,
                        filter(exchange -> exchange.call("users")
                                .get("/")
                                .send()
                                .thenApply(r -> exchange.respond(200, r.getText() + r.getTrailers()))))) {
            assertThat(get(gateway).body()).isEqualTo("hi{X-Sum=[1]}");
        }
    }

    @Test
    void sendsMethodPathQueryHeadersAndBodyAndNoHeaderOfTheClient() throws Exception {
        Filter posts = relaying(exchange -> exchange.call("users")
                .post("/tokens/{}/check?a=1", "x y")
                .query("scope", "read & write")
                .header("x-purpose", "login")
                .json(Map.of("token", "s\u00e9cret")));
        try (ScriptedOrigin users = answers("known");
                Running gateway = gateway(users, posts);
                RawClient client = gateway.client()) {
            client.send(
                    "GET / HTTP/1.1\r\nHost: shop\r\nCookie: a=b\r\nAuthorization: Basic x\r\nVia: 1.1 front\r\n\r\n");
            assertThat(client.readResponse().body()).isEqualTo("known");
            RawMessage sent = users.requests().get(0);
            assertThat(sent.startLine()).isEqualTo("POST /tokens/x%20y/check?a=1&scope=read%20%26%20write HTTP/1.1");
            assertThat(sent.body()).isEqualTo("{\"token\":\"s\\u00e9cret\"}");
            assertThat(sent.value("content-type")).contains("application/json");
            assertThat(sent.value("x-purpose")).contains("login");
            assertThat(sent.value("host")).contains("127.0.0.1:" + users.port());
            assertThat(sent.value("user-agent")).contains("lychgate");
            assertThat(sent.value("x-request-id"))
                    .contains(gateway.nextOutcome().requestId());
            assertThat(sent.value("via"))
                    .hasValueSatisfying(via -> assertThat(via).startsWith("1.1 front, 1.1 "));
            assertThat(sent.value("cookie")).isEmpty();
            assertThat(sent.value("authorization")).isEmpty();
            assertThat(sent.value("traceparent")).isEmpty();
        }
    }

    @Test
    void readsStatusHeadersAndJsonOfTheResponse() throws Exception {
        Queue<CallResponse> seen = new ConcurrentLinkedQueue<>();
        Filter reads = filter(exchange -> exchange.call("users").get("/").send().thenApply(response -> {
            seen.add(response);
            return exchange.respond(204);
        }));
        try (ScriptedOrigin users = ScriptedOrigin.answering(
                        (r, c) -> c.send(Responses.of(403, "{\"active\":false,\"n\":[1,2.5]}", "X-A: 1", "x-a: 2")));
                Running gateway = gateway(users, reads)) {
            assertThat(get(gateway).status()).isEqualTo(204);
            CallResponse response = seen.remove();
            assertThat(response.getStatus()).isEqualTo(403);
            assertThat(response.header("X-a")).isEqualTo("1");
            assertThat(response.getHeaders().get("x-A")).containsExactly("1", "2");
            assertThat(response.getJson()).isEqualTo(Map.of("active", false, "n", List.of(1L, new BigDecimal("2.5"))));
        }
    }

    @Test
    void readsChunkedResponsesAndResponsesToHead() throws Exception {
        Filter reads = filter(exchange -> exchange.call("users")
                .get("/")
                .send()
                .thenCompose(one -> exchange.call("users")
                        .head("/")
                        .send()
                        .thenApply(other -> exchange.respond(
                                200, one.getText() + other.getText() + other.header("content-length")))));
        try (ScriptedOrigin users = ScriptedOrigin.answering((r, c) -> c.send(
                        r.startLine().startsWith("HEAD")
                                ? Responses.head(200, "Content-Length: 7") + "\r\n"
                                : Responses.chunked("ab".repeat(2000), "c")));
                Running gateway = gateway(users, reads)) {
            assertThat(get(gateway).body()).isEqualTo("ab".repeat(2000) + "c7");
        }
    }

    @Test
    void rejectsWhatCannotBeSentAndWhatIsNoUpstream() throws Exception {
        Filter tries = filter(exchange -> {
            FilterCall call = exchange.call("users");
            assertThatThrownBy(() -> exchange.call("user")).hasMessageContaining("unknown upstream user");
            assertThatThrownBy(() -> exchange.call("http://169.254.169.254/latest"))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("filters.call-outs does not list http://169.254.169.254:80");
            for (String segment : List.of("", ".", "..", "a/b", "a\\b")) {
                assertThatThrownBy(() -> call.get("/keys/{}", segment)).isInstanceOf(IllegalArgumentException.class);
            }
            assertThatThrownBy(() -> call.get("/keys/{}")).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> call.get("/keys/{}", new Object[1])).hasMessageContaining("is null");
            for (String path : List.of("keys", "/a b", "/a\r\nx: y", "/%2e%2e/%2fa", "http://a/")) {
                assertThatThrownBy(() -> call.get(path)).isInstanceOf(IllegalArgumentException.class);
            }
            assertThatThrownBy(() -> call.header("x-a", "1\r\nx-b: 2")).isInstanceOf(IllegalArgumentException.class);
            for (String name : List.of("host", "content-length", "Transfer-Encoding", "connection", "x a")) {
                assertThatThrownBy(() -> call.header(name, "1")).isInstanceOf(IllegalArgumentException.class);
            }
            assertThatThrownBy(() -> call.method("CONNECT", "/")).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> call.timeout("0")).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(call::send).isInstanceOf(IllegalStateException.class);
            return CompletableFuture.completedFuture(exchange.respond(200, "all rejected"));
        });
        try (ScriptedOrigin users = answers("x");
                Running gateway = gateway(users, tries)) {
            assertThat(get(gateway).body()).isEqualTo("all rejected");
            assertThat(users.requestsSeen()).isZero();
        }
    }

    @Test
    void refusesCallOutsOfSynchronousFilters() throws Exception {
        Filter sync = TestFilter.inbound(exchange -> {
            assertThatThrownBy(() -> exchange.call("users"))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("async { } or blocking { }");
            return exchange.respond(200, "refused");
        });
        try (ScriptedOrigin users = answers("x");
                Running gateway = gateway(users, sync)) {
            assertThat(get(gateway).body()).isEqualTo("refused");
        }
    }

    // ---- threads, connections and protocols

    @Test
    void startsAndCompletesOnTheEventLoopOfTheExchange() throws Exception {
        Queue<Thread> threads = new ConcurrentLinkedQueue<>();
        Filter parallel = filter(exchange -> {
            threads.add(Thread.currentThread());
            CompletableFuture<CallResponse> one =
                    exchange.call("users").get("/one").send();
            CompletableFuture<CallResponse> two =
                    exchange.call("users").get("/two").send();
            return one.thenCombine(two, (a, b) -> {
                threads.add(Thread.currentThread());
                return exchange.respond(200, a.getText() + b.getText());
            });
        });
        Filter after =
                new TestFilter("after", FilterPhase.OUTBOUND, 0, FailurePolicy.FAIL_CLOSED, BodyNeed.NONE, exchange -> {
                    threads.add(Thread.currentThread());
                    return exchange.proceed();
                });
        Gate both = new Gate();
        try (ScriptedOrigin users = ScriptedOrigin.answering((r, c) -> {
                    if (r.target().equals("/one")) {
                        c.stallUntil(both);
                    } else {
                        // Both run at once: the first waits for this.
                        both.open();
                    }
                    c.send(Responses.ok(r.target()));
                });
                Running gateway = Setup.to(users.address())
                        .upstream("users", users.address())
                        .workers(2)
                        .filters(FilterSet.of(parallel, after))
                        .start();
                RawClient client = gateway.client()) {
            for (int i = 0; i < 5; i++) {
                assertThat(client.get("/").body()).isEqualTo("/one/two");
            }
            assertThat(threads).hasSize(15).containsOnly(threads.element());
            assertThat(users.connectionsAccepted()).as("connections are reused").isEqualTo(2);
            assertThat(calls(gateway, CallEnd.RESPONSE)).isEqualTo(10);
        }
    }

    /** @param respond opened once the continuation is registered, which runs on the completing thread then */
    private record Blocks(Gate respond) implements InboundFilter, BlockingFilter {
        @Override
        public FilterOutcome filter(FilterExchange exchange) throws Exception {
            Thread own = Thread.currentThread();
            CompletableFuture<String> text = exchange.call("users")
                    .get("/")
                    .send()
                    .thenApply(r -> r.getText() + (Thread.currentThread() == own ? "same" : ""));
            respond.open();
            return exchange.respond(200, text.get());
        }
    }

    @Test
    void blockingFiltersWaitForTheResponseOnTheirOwnThread() throws Exception {
        Gate gate = new Gate();
        try (ScriptedOrigin users =
                        ScriptedOrigin.answering((r, c) -> c.stallUntil(gate).send(Responses.ok("known")));
                Running gateway = gateway(users, new Blocks(gate))) {
            assertThat(get(gateway).body()).isEqualTo("known");
        }
    }

    @Test
    void sharesThePoolWithProxiedRequests() throws Exception {
        Filter calls =
                filter(exchange -> exchange.call("origin").get("/called").send().thenApply(r -> exchange.proceed()));
        try (ScriptedOrigin origin = ScriptedOrigin.answering((r, c) -> c.send(Responses.ok(r.target())));
                Running gateway =
                        Setup.to(origin.address()).filters(FilterSet.of(calls)).start();
                RawClient client = gateway.client()) {
            for (int i = 0; i < 3; i++) {
                assertThat(client.get("/proxied").body()).isEqualTo("/proxied");
            }
            assertThat(origin.requestsSeen()).isEqualTo(6);
            assertThat(origin.connectionsAccepted()).isEqualTo(1);
        }
    }

    @Test
    void outboundFiltersCallWhileTheResponseWaits() throws Exception {
        Filter outbound = new Calls(
                FilterPhase.OUTBOUND,
                FailurePolicy.FAIL_CLOSED,
                Duration.ofSeconds(10),
                exchange -> exchange.call("users").get("/called").send().thenApply(response -> {
                    exchange.getResponse().getHeaders().set("x-called", response.getText());
                    return exchange.proceed();
                }));
        try (ScriptedOrigin origin = ScriptedOrigin.answering((r, c) -> c.send(Responses.ok("b".repeat(100_000))));
                ScriptedOrigin users = answers("yes");
                Running gateway = Setup.to(origin.address())
                        .upstream("users", users.address())
                        .filters(FilterSet.of(outbound))
                        .start()) {
            RawMessage response = get(gateway);
            assertThat(response.body()).hasSize(100_000);
            assertThat(response.value("x-called")).contains("yes");
        }
    }

    @Test
    void callsOverTls(@TempDir Path directory) throws Exception {
        Certificates authority = Certificates.authority("Call Authority");
        OriginTlsConfig trusting = OriginTlsConfig.DEFAULT.withCa(authority.writeCa(directory, "ca.pem"));
        try (ScriptedOrigin users =
                        answers("over TLS").overTls(authority.context(authority.issue("localhost")), false);
                Running gateway = new Setup()
                        .upstream(UpstreamConfig.of("origin", EndpointConfig.parse("https://localhost:" + users.port()))
                                .withTls(trusting))
                        .filters(FilterSet.of(
                                relaying(exchange -> exchange.call("origin").get("/"))))
                        .start()) {
            assertThat(get(gateway).body()).isEqualTo("over TLS");
        }
    }

    @Test
    void parallelCallOutsShareOneHttp2ConnectionAndCancellationResetsTheStream() throws Exception {
        Filter two = filter(exchange -> {
            CompletableFuture<CallResponse> slow =
                    exchange.call("users").get("/slow").send();
            return exchange.call("users").get("/fast").send().thenApply(response -> {
                slow.cancel(true);
                return exchange.respond(200, response.getText());
            });
        });
        try (Http2Origin users = Http2Origin.start();
                Running gateway = Setup.to(users.address())
                        .upstream("users", users.address())
                        .pool(PoolConfig.DEFAULT.speaking(UpstreamProtocol.H2))
                        .filters(FilterSet.of(two))
                        .start();
                RawClient client = gateway.client()) {
            client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
            Http2Client connection = users.accept();
            connection.asked(1);
            connection.asked(3);
            connection.respond(3, 200, "fast");
            assertThat(client.readResponse().body()).isEqualTo("fast");
            connection.awaitReset(1);
            assertThat(calls(gateway, CallEnd.CANCELLED)).isEqualTo(1);
        }
    }

    // ---- failures

    @Test
    void fallsOverToAnotherEndpointIfOneRefusesConnections() throws Exception {
        try (RefusingPort dead = new RefusingPort();
                ScriptedOrigin alive = answers("alive");
                Running gateway = Setup.to(alive.address())
                        .upstream("users", dead.address(), alive.address())
                        .filters(FilterSet.of(relaying(
                                exchange -> exchange.call("users").post("/").body("x", "text/plain"))))
                        .start()) {
            for (int i = 0; i < 4; i++) {
                assertThat(get(gateway).body()).isEqualTo("alive");
            }
        }
    }

    @Test
    void sendsAGetAgainAfterAResetAndAPostNot() throws Exception {
        Filter either = relaying(
                exchange -> exchange.call("users").method(exchange.getRequest().getMethod(), "/"));
        try (ScriptedOrigin users = ScriptedOrigin.start();
                Running gateway = gateway(users, either)) {
            users.onNextConnection(c -> {
                c.readRequest();
                c.reset();
            });
            users.onNextConnection(c -> {
                c.readRequest();
                c.send(Responses.head(200, "Connection: close", "Content-Length: 6") + "\r\nsecond");
            });
            assertThat(get(gateway).body()).isEqualTo("second");
            users.onNextConnection(c -> {
                c.readRequest();
                c.reset();
            });
            try (RawClient client = gateway.client()) {
                client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n");
                assertProblem(client.readResponse(), 502, ErrorKind.ORIGIN_RESET);
            }
            assertThat(users.connectionsAccepted()).isEqualTo(3);
        }
    }

    private static void assertFails(ConnectionScript script, String timeout, int status, ErrorKind kind)
            throws Exception {
        try (ScriptedOrigin users = ScriptedOrigin.start().onConnection(script.untilThePeerLeaves());
                Running gateway =
                        gateway(users, relaying(e -> e.call("users").post("/").timeout(timeout)))) {
            assertProblem(get(gateway), status, kind);
            assertThat(calls(gateway, CallEnd.FAILURE)).isEqualTo(1);
            users.awaitOpenConnections(0);
            assertThat(gateway.pools().busy()).isZero();
        }
    }

    @Test
    void aStalledHeadEndsWithTheTimeout() throws Exception {
        assertFails(
                c -> {
                    c.readRequest();
                    c.awaitEnd();
                },
                "300ms",
                504,
                ErrorKind.RESPONSE_TIMEOUT);
    }

    @Test
    void aStalledBodyEndsWithTheTimeout() throws Exception {
        assertFails(
                c -> {
                    c.readRequest();
                    c.send(Responses.head(200, "Content-Length: 10") + "\r\nhalf");
                    c.awaitEnd();
                },
                "300ms",
                504,
                ErrorKind.RESPONSE_TIMEOUT);
    }

    @Test
    void aBodyThatEndsEarlyIsAFailure() throws Exception {
        assertFails(
                c -> {
                    c.readRequest();
                    c.send(Responses.head(200, "Content-Length: 10") + "\r\nhalf");
                },
                "30s",
                502,
                ErrorKind.ORIGIN_RESET);
    }

    @Test
    void garbageIsAFailure() throws Exception {
        assertFails(
                c -> {
                    c.readRequest();
                    c.send("SSH-2.0-OpenSSH_9.6\r\n\r\n");
                    c.awaitEnd();
                },
                "30s",
                502,
                ErrorKind.MALFORMED_RESPONSE);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aBodyBeyondItsLimitIsAFailure(boolean chunked) throws Exception {
        String body = "x".repeat(1001);
        Filter calls = relaying(exchange ->
                exchange.call("users").get(exchange.getRequest().getPath()).maxBody(1000));
        try (ScriptedOrigin users = ScriptedOrigin.answeringWhoStays((r, c) -> c.send(
                        r.target().equals("/fits")
                                ? Responses.ok("y".repeat(1000))
                                : chunked
                                        ? Responses.chunked(body.substring(0, 900), body.substring(900))
                                        : Responses.ok(body)));
                Running gateway = gateway(users, calls);
                RawClient client = gateway.client()) {
            assertProblem(client.get("/"), 502, ErrorKind.MALFORMED_RESPONSE);
            assertThat(client.get("/fits").body()).hasSize(1000);
        }
    }

    @Test
    @SuppressWarnings("try") // the scarcity only has to be there
    void failsAtOnceIfMemoryIsScarceAndReturnsWhatItHeld() throws Exception {
        try (ScriptedOrigin users =
                        ScriptedOrigin.answeringWhoStays((r, c) -> c.send(Responses.ok("x".repeat(900_000))));
                Running gateway = gateway(users, relaying(e -> e.call("users").get("/")));
                RawClient client = gateway.client()) {
            assertThat(client.get("/").body()).hasSize(900_000);
            eventually(() -> assertThat(gateway.hasMoreOutcomes()).isTrue());
            long held = MemoryBudget.OF_PROCESS.held();
            try (Scarcity scarcity = Scarcity.leaving(100_000)) {
                assertProblem(client.get("/"), 503, ErrorKind.OVERLOADED);
            }
            eventually(() -> assertThat(MemoryBudget.OF_PROCESS.held()).isLessThanOrEqualTo(held));
            assertThat(client.get("/").body()).hasSize(900_000);
        }
    }

    @Test
    void opensTheCircuitBreakerOfTheUpstreamAndIsRefusedByIt() throws Exception {
        BreakerConfig breaker =
                new BreakerConfig(new Percent(50), Duration.ofMinutes(1), 10, Duration.ofSeconds(30), false);
        UpstreamResilience guarded = new UpstreamResilience(RetryBudgetConfig.DEFAULT, breaker, null, null);
        Filter calls = relaying(exchange -> exchange.call("origin").get("/"));
        try (ScriptedOrigin users = ScriptedOrigin.answering((r, c) -> c.send(Responses.of(500, "broken")));
                Running gateway = new Setup()
                        .upstream(UpstreamConfig.of("origin", new EndpointConfig("127.0.0.1", users.port()))
                                .withResilience(guarded))
                        .filters(FilterSet.of(calls))
                        .start()) {
            for (int i = 0; i < 10; i++) {
                assertThat(get(gateway).body()).isEqualTo("broken");
            }
            assertProblem(get(gateway), 503, ErrorKind.CIRCUIT_OPEN);
            assertThat(users.requestsSeen()).isEqualTo(10);
        }
    }

    @Test
    void aFilterMayHandleTheFailure() throws Exception {
        Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
        Filter handles =
                filter(exchange -> exchange.call("users").get("/").send().handle((response, failure) -> {
                    failures.add(failure instanceof CompletionException ? failure.getCause() : failure);
                    return exchange.respond(200, "default");
                }));
        try (RefusingPort dead = new RefusingPort();
                Running gateway = gateway(dead.address(), handles)) {
            assertThat(get(gateway).body()).isEqualTo("default");
            assertThat(failures.remove()).isInstanceOfSatisfying(CallException.class, failure -> {
                assertThat(failure.getUpstream()).isEqualTo("users");
                assertThat(failure.getError().kind()).isEqualTo(ErrorKind.CONNECT_REFUSED);
            });
        }
    }

    @Test
    void aFilterThatFailsOpenContinuesWithoutTheResponse() throws Exception {
        Filter open = new Calls(
                FilterPhase.INBOUND,
                FailurePolicy.FAIL_OPEN,
                Duration.ofSeconds(10),
                exchange -> exchange.call("users").get("/").send().thenApply(r -> exchange.respond(200, "called")));
        try (RefusingPort dead = new RefusingPort();
                ScriptedOrigin origin = answers("origin");
                Running gateway = Setup.to(origin.address())
                        .upstream("users", dead.address())
                        .filters(FilterSet.of(open))
                        .start()) {
            assertThat(get(gateway).body()).isEqualTo("origin");
        }
    }

    private record Later(Decision decision) implements InboundFilter, AsyncFilter {
        @Override
        public int order() {
            return 1;
        }

        @Override
        public CompletionStage<? extends FilterOutcome> filter(FilterExchange exchange) throws Exception {
            return decision.on(exchange);
        }
    }

    @Test
    void theEndOfAnAbandonedFilterDoesNotAffectCallOutsOfTheNext() throws Exception {
        Filter never = new Calls(
                FilterPhase.INBOUND, FailurePolicy.FAIL_OPEN, Duration.ofMillis(200), e -> new CompletableFuture<>());
        Filter next = new Later(
                exchange -> exchange.call("users").get("/").send().thenApply(r -> exchange.respond(200, r.getText())));
        try (ScriptedOrigin users = answers("known");
                Running gateway = gateway(users, never, next)) {
            assertThat(get(gateway).body()).isEqualTo("known");
        }
    }

    private record Gets() implements InboundFilter, BlockingFilter {
        @Override
        public FilterOutcome filter(FilterExchange exchange) throws Exception {
            return exchange.respond(
                    200, exchange.call("users").get("/").send().get().getText());
        }
    }

    @Test
    void aBlockingFilterFailsWithTheErrorOfItsCallOut() throws Exception {
        try (RefusingPort dead = new RefusingPort();
                Running gateway = gateway(dead.address(), new Gets())) {
            assertThat(get(gateway).status()).isIn(502, 503);
        }
    }

    // ---- endings

    private static ConnectionScript silent() {
        return c -> {
            c.readRequest();
            c.awaitEnd();
        };
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void isCancelledWhenTheClientLeaves(boolean resets) throws Exception {
        try (ScriptedOrigin users = ScriptedOrigin.start().onConnection(silent());
                Running gateway =
                        gateway(users, relaying(e -> e.call("users").get("/").timeout("30s")));
                RawClient client = gateway.client()) {
            client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
            users.awaitRequests(1);
            if (resets) {
                client.reset();
            } else {
                client.halfClose();
            }
            assertThat(gateway.nextOutcome().error()).isEqualTo(ErrorKind.CLIENT_GONE);
            users.awaitOpenConnections(0);
            assertThat(calls(gateway, CallEnd.CANCELLED)).isEqualTo(1);
            assertThat(gateway.pools().busy()).isZero();
        }
    }

    @Test
    void endsWithTheDeadlineOfTheExchange() throws Exception {
        Filter limited = filter(exchange -> {
            exchange.setExchangeTimeout(Duration.ofMillis(200));
            return exchange.call("users").get("/").timeout("30s").send().thenApply(r -> exchange.proceed());
        });
        try (ScriptedOrigin users = ScriptedOrigin.start().onConnection(silent().untilThePeerLeaves());
                Running gateway = gateway(users, limited)) {
            assertThat(get(gateway).status()).isEqualTo(504);
            users.awaitOpenConnections(0);
        }
    }

    @Test
    void endsWithTheTimeoutOfTheFilter() throws Exception {
        Filter impatient = new Calls(
                FilterPhase.INBOUND,
                FailurePolicy.FAIL_CLOSED,
                Duration.ofMillis(200),
                exchange ->
                        exchange.call("users").get("/").timeout("30s").send().thenApply(r -> exchange.proceed()));
        try (ScriptedOrigin users = ScriptedOrigin.start().onConnection(silent().untilThePeerLeaves());
                Running gateway = gateway(users, impatient)) {
            assertProblem(get(gateway), 500, ErrorKind.INTERNAL);
            users.awaitOpenConnections(0);
            assertThat(calls(gateway, CallEnd.CANCELLED)).isEqualTo(1);
        }
    }

    @Test
    void isCancelledWhenTheFilterHasDecided() throws Exception {
        Filter forgets = filter(exchange -> {
            exchange.call("users").get("/").send();
            return CompletableFuture.completedFuture(exchange.respond(200, "decided"));
        });
        try (ScriptedOrigin users = ScriptedOrigin.start().onConnection(silent().untilThePeerLeaves());
                Running gateway = gateway(users, forgets)) {
            assertThat(get(gateway).body()).isEqualTo("decided");
            assertThat(calls(gateway, CallEnd.CANCELLED)).isEqualTo(1);
            users.awaitOpenConnections(0);
        }
    }

    @Test
    void cancellingTheFutureOnAnotherThreadCancelsTheCallOut() throws Exception {
        Queue<CompletableFuture<CallResponse>> sent = new ConcurrentLinkedQueue<>();
        Filter waits = filter(exchange -> {
            CompletableFuture<CallResponse> call =
                    exchange.call("users").get("/").timeout("30s").send();
            sent.add(call);
            return call.handle((response, failure) -> exchange.respond(200, failure == null ? "" : "cancelled"));
        });
        try (ScriptedOrigin users = ScriptedOrigin.start().onConnection(silent());
                Running gateway = gateway(users, waits);
                RawClient client = gateway.client()) {
            client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
            users.awaitRequests(1);
            sent.remove().cancel(true);
            assertThat(client.readResponse().body()).isEqualTo("cancelled");
            users.awaitOpenConnections(0);
        }
    }

    @Test
    void finishesWhileTheGatewayDrains() throws Exception {
        Gate gate = new Gate();
        try (ScriptedOrigin users =
                        ScriptedOrigin.answering((r, c) -> c.stallUntil(gate).send(Responses.ok("drained")));
                Running gateway =
                        gateway(users, relaying(e -> e.call("users").get("/").timeout("30s")));
                RawClient client = gateway.client()) {
            client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
            users.awaitRequests(1);
            CompletableFuture<Integer> drained =
                    CompletableFuture.supplyAsync(() -> gateway.drain(Duration.ofSeconds(10)));
            gate.open();
            assertThat(client.readResponse().body()).isEqualTo("drained");
            assertThat(drained.get()).isZero();
        }
    }

    // ---- bounds

    @Test
    void rejectsACallOutToTheGatewayItself() throws Exception {
        Filter recursive = relaying(exchange -> exchange.call("self").get("/again"));
        try (ScriptedOrigin relay = ScriptedOrigin.start();
                Running gateway = Setup.to(relay.address())
                        .upstream("self", relay.address())
                        .filters(FilterSet.of(recursive))
                        .start()) {
            // The gateway has no fixed port: the origin forwards all bytes, like a tunnel.
            relay.onConnection(c -> {
                RawMessage request = c.readRequest();
                try (RawClient again = gateway.client()) {
                    again.send("GET /again HTTP/1.1\r\nHost: a\r\nVia: "
                            + request.value("via").orElse("") + "\r\n\r\n");
                    c.send(Responses.of(again.readResponse().status(), "looped"));
                }
            });
            RawMessage response = get(gateway);
            assertThat(response.status()).isEqualTo(502);
            assertThat(response.body()).isEqualTo("looped");
            assertThat(relay.requestsSeen()).isEqualTo(1);
        }
    }

    @Test
    void anExchangeHasABoundedNumberOfCallOuts() throws Exception {
        Filter many = filter(exchange -> {
            List<CompletableFuture<CallResponse>> all = IntStream.range(0, 17)
                    .mapToObj(i -> exchange.call("users").get("/").send())
                    .toList();
            return CompletableFuture.allOf(all.toArray(CompletableFuture[]::new))
                    .handle((done, failure) -> exchange.respond(
                            200,
                            all.stream()
                                            .filter(CompletableFuture::isCompletedExceptionally)
                                            .count() + " failed: "
                                    + failure.getMessage()));
        });
        try (ScriptedOrigin users = answers("x");
                Running gateway = gateway(users, many)) {
            assertThat(get(gateway).body())
                    .startsWith("1 failed")
                    .endsWith(" the exchange has too many call-outs (maximum: 16 at the same time, 64 in total)");
            assertThat(users.requestsSeen()).isEqualTo(16);
        }
    }

    /** Sends a call-out until one succeeds, like {@code retry()} of RxJava: without recursion. */
    private static void repeat(FilterCall call) {
        CompletableFuture<CallResponse> sent = call.send();
        while (sent.isCompletedExceptionally()) {
            sent = call.send();
        }
        sent.whenComplete((response, failure) -> {
            if (failure != null) {
                repeat(call);
            }
        });
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aFilterThatRepeatsFailedCallOutsWithoutALimitHoldsNoEventLoop(boolean decides) throws Exception {
        Filter endless = new Calls(FilterPhase.INBOUND, FailurePolicy.FAIL_CLOSED, Duration.ofSeconds(2), exchange -> {
            repeat(exchange.call("users").get("/"));
            return decides
                    ? CompletableFuture.completedFuture(exchange.respond(200, "decided"))
                    : new CompletableFuture<>();
        });
        try (RefusingPort dead = new RefusingPort();
                Running gateway = gateway(dead.address(), endless)) {
            assertThat(get(gateway).status()).isEqualTo(decides ? 200 : 500);
            assertThat(get(gateway).status()).isEqualTo(decides ? 200 : 500);
        }
    }

    @Test
    void exchangesWithoutCallOutsRecordNone() throws Exception {
        try (ScriptedOrigin origin = answers("x");
                Running gateway = gateway(origin, TestFilter.inbound(FilterExchange::proceed))) {
            assertThat(get(gateway).body()).isEqualTo("x");
            assertThat(calls(gateway, CallEnd.RESPONSE)).isZero();
        }
    }
}
