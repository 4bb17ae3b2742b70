package dev.lychgate.gateway;

import static dev.lychgate.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.chain.FilterSet;
import dev.lychgate.chain.FilterSlot;
import dev.lychgate.chain.FilterStats;
import dev.lychgate.config.FilterGuard;
import dev.lychgate.config.FiltersConfig;
import dev.lychgate.config.GatewayConfig;
import dev.lychgate.config.MatchConfig;
import dev.lychgate.config.RouteAction;
import dev.lychgate.config.TraceConfig;
import dev.lychgate.config.WebSocketConfig;
import dev.lychgate.error.ErrorKind;
import dev.lychgate.exchange.ExchangeObserver;
import dev.lychgate.filter.AsyncFilter;
import dev.lychgate.filter.BlockingFilter;
import dev.lychgate.filter.BodyNeed;
import dev.lychgate.filter.BodyTransform;
import dev.lychgate.filter.Filter;
import dev.lychgate.filter.FilterExchange;
import dev.lychgate.filter.FilterOutcome;
import dev.lychgate.filter.FilterPhase;
import dev.lychgate.filter.InboundFilter;
import dev.lychgate.filter.OutboundFilter;
import dev.lychgate.filter.SyncFilter;
import dev.lychgate.testing.Gate;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.RawMessage;
import dev.lychgate.testing.Responses;
import dev.lychgate.testing.Rfc;
import dev.lychgate.testing.ScriptedOrigin;
import dev.lychgate.testing.WebSockets;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Filters under real traffic: on real loops, with responses from other threads, and bodies in several chunks. */
@Tag("slow")
class FilterTrafficTest {
    private interface Decision {
        FilterOutcome on(FilterExchange exchange) throws Exception;
    }

    private static Filter sync(FilterPhase phase, BodyNeed need, Decision decision) {
        return new SyncFilter() {
            @Override
            public String name() {
                return "test";
            }

            @Override
            public FilterPhase phase() {
                return phase;
            }

            @Override
            public BodyNeed body() {
                return need;
            }

            @Override
            public FilterOutcome filter(FilterExchange exchange) throws Exception {
                return decision.on(exchange);
            }
        };
    }

    private static ScriptedOrigin echo() {
        return ScriptedOrigin.answering((r, c) -> c.send(Responses.ok(r.target() + r.body())));
    }

    /** Responds from a separate thread, a little later. Submitting work acquires no lock, because an event loop must not. */
    private static final class Elsewhere implements AutoCloseable, Runnable {
        private final Queue<Runnable> work = new ConcurrentLinkedQueue<>();
        private final Thread thread = new Thread(this, "elsewhere");

        Elsewhere() {
            thread.setDaemon(true);
            thread.start();
        }

        @Override
        public void run() {
            while (!Thread.currentThread().isInterrupted()) {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(2));
                for (Runnable next = work.poll(); next != null; next = work.poll()) {
                    next.run();
                }
            }
        }

        @Override
        public void close() {
            thread.interrupt();
        }
    }

    private record Delayed(Elsewhere elsewhere, FilterPhase phase) implements AsyncFilter {
        @Override
        public CompletionStage<FilterOutcome> filter(FilterExchange exchange) {
            CompletableFuture<FilterOutcome> later = new CompletableFuture<>();
            elsewhere.work.add(() -> {
                exchange.getRequest().getHeaders().get("x");
                later.complete(FilterOutcome.proceed());
            });
            return later;
        }
    }

    @Test
    @Rfc({"9110, 15.5.22", "9110, 10.2.3"})
    void aResponseOfAnErrorFilterKeepsTheFieldsThatTheErrorRequires() throws Exception {
        Filter fails = sync(
                FilterPhase.INBOUND,
                BodyNeed.NONE,
                e -> e.getRequest().getMethod().equals("GET")
                        ? FilterOutcome.fail(ErrorKind.NO_ENDPOINT, "x")
                        : e.proceed());
        Filter error = sync(FilterPhase.ERROR, BodyNeed.NONE, e -> switch (e.getRequest()
                .getPath()) {
            case "/other" -> e.respond(500, "other");
            case "/own" -> e.respond(503, "own").header("retry-after", "9").header("cache-control", "max-age=5");
            default -> e.respond(Objects.requireNonNull(e.getError()).getStatus(), "failed");
        });
        try (ScriptedOrigin origin = echo();
                Running gateway = Setup.to(origin.address())
                        .webSocket(WebSocketConfig.DEFAULT)
                        .filters(FilterSet.of(fails, error))
                        .start();
                RawClient client = gateway.client();
                RawClient socket = gateway.client()) {
            RawMessage busy = client.get("/");
            assertThat(busy.status()).isEqualTo(503);
            assertThat(busy.values("retry-after")).containsExactly("1");
            assertThat(busy.values("cache-control")).containsExactly("no-store");
            assertThat(busy.values("content-type")).containsExactly("text/plain; charset=utf-8");
            RawMessage other = client.get("/other");
            assertThat(other.values("retry-after")).isEmpty();
            assertThat(other.values("cache-control")).containsExactly("no-store");
            RawMessage own = client.get("/own");
            assertThat(own.values("retry-after")).containsExactly("9");
            assertThat(own.values("cache-control")).containsExactly("max-age=5");
            RawMessage version = socket.send(WebSockets.handshake("/").replace("Version: 13", "Version: 12"))
                    .readResponse();
            assertThat(version.status()).isEqualTo(426);
            assertThat(version.values("upgrade")).containsExactly("websocket");
            assertThat(version.values("sec-websocket-version")).containsExactly("13");
            assertThat(version.values("connection")).containsExactly("upgrade", "close");
        }
    }

    @Test
    void manyExchangesWaitForFiltersAtOnceAndAllComplete() throws Exception {
        try (Elsewhere elsewhere = new Elsewhere();
                ScriptedOrigin origin = echo();
                Running gateway = Setup.to(origin.address())
                        .filters(FilterSet.of(
                                new Delayed(elsewhere, FilterPhase.INBOUND),
                                new Delayed(elsewhere, FilterPhase.OUTBOUND)))
                        .start()) {
            List<RawClient> clients = new ArrayList<>();
            for (int i = 0; i < 40; i++) {
                clients.add(gateway.client());
            }
            for (int round = 0; round < 10; round++) {
                for (RawClient client : clients) {
                    client.send("POST /p" + round + " HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
                            + "3\r\nabc\r\n0\r\n\r\n");
                }
                for (RawClient client : clients) {
                    assertThat(client.readResponse().body()).isEqualTo("/p" + round + "abc");
                }
            }
            for (RawClient client : clients) {
                client.close();
            }
        }
    }

    @Test
    void aResponseHeadWithoutItsBodyIsReadFurtherAfterItsFilter() throws Exception {
        Gate filtered = new Gate();
        Filter opens = sync(FilterPhase.OUTBOUND, BodyNeed.NONE, e -> {
            filtered.open();
            return e.proceed();
        });
        try (Elsewhere elsewhere = new Elsewhere();
                ScriptedOrigin origin =
                        ScriptedOrigin.answering((r, c) -> c.send(Responses.head(200, "Content-Length: 4") + "\r\n")
                                .stallUntil(filtered)
                                .send("body"));
                Running gateway = Setup.to(origin.address())
                        .filters(FilterSet.of(new Delayed(elsewhere, FilterPhase.OUTBOUND), opens))
                        .start();
                RawClient client = gateway.client()) {
            assertThat(client.get("/").body()).isEqualTo("body");
        }
    }

    @Test
    void aFilterThatNeedsTheBodySendsAContinue() throws Exception {
        Filter reads = sync(
                FilterPhase.INBOUND,
                BodyNeed.whole(1000),
                e -> e.respond(200, "read " + e.getRequest().getText()));
        try (ScriptedOrigin origin = echo();
                Running gateway =
                        Setup.to(origin.address()).filters(FilterSet.of(reads)).start();
                RawClient client = gateway.client()) {
            client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n");
            assertThat(client.readHead().status()).isEqualTo(100);
            client.send("hello");
            assertThat(client.readResponse().body()).isEqualTo("read hello");
            assertThat(client.get("/next").body()).isEqualTo("read ");
            assertThat(origin.connectionsAccepted()).isZero();
        }
    }

    @Test
    void aBodyAnnouncedAsTooLongForAFilterIsRefusedBeforeTheContinue() throws Exception {
        Filter reads = sync(FilterPhase.INBOUND, BodyNeed.whole(4), FilterExchange::proceed);
        try (ScriptedOrigin origin = echo();
                Running gateway =
                        Setup.to(origin.address()).filters(FilterSet.of(reads)).start();
                RawClient client = gateway.client()) {
            client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n");
            assertThat(client.readResponse().status()).isEqualTo(413);
            assertThat(client.interimResponses()).isEmpty();
        }
    }

    @Test
    void aBodyThatWasReadIsSentAgainWhereTheRequestMayBe() throws Exception {
        Filter reads = sync(FilterPhase.INBOUND, BodyNeed.whole(1000), FilterExchange::proceed);
        try (ScriptedOrigin origin = ScriptedOrigin.start();
                Running gateway =
                        Setup.to(origin.address()).filters(FilterSet.of(reads)).start();
                RawClient client = gateway.client()) {
            // The second request meets a connection that has died in the pool.
            origin.onNextConnection(c -> {
                c.readRequest();
                c.send(Responses.ok("one"));
                c.readRequest();
                c.reset();
            });
            origin.onConnection(c -> {
                RawMessage request = c.readRequest();
                c.send(Responses.ok("again " + request.body()));
            });
            assertThat(client.get("/").body()).isEqualTo("one");
            client.send("PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nhi");
            assertThat(client.readResponse().body()).isEqualTo("again hi");
        }
    }

    @Test
    void aLargeBodyIsChangedAsItPassesInBothDirections() throws Exception {
        BodyTransform upper = piece -> {
            byte[] changed = piece.clone();
            for (int i = 0; i < changed.length; i++) {
                changed[i] = (byte) Character.toUpperCase((char) changed[i]);
            }
            return changed;
        };
        Filter in = sync(FilterPhase.INBOUND, BodyNeed.NONE, e -> {
            e.getRequest().transformBody(upper);
            return e.proceed();
        });
        Filter out = sync(FilterPhase.OUTBOUND, BodyNeed.NONE, e -> {
            e.getResponse().transformBody(upper);
            return e.proceed();
        });
        String body = "abcdefgh".repeat(100_000);
        try (ScriptedOrigin origin = ScriptedOrigin.answering((r, c) ->
                        c.send(Responses.ok(r.body().equals(body.toUpperCase(java.util.Locale.ROOT)) ? body : "no")));
                Running gateway = Setup.to(origin.address())
                        .filters(FilterSet.of(in, out))
                        .start();
                RawClient client = gateway.client()) {
            client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: " + body.length() + "\r\n\r\n" + body);
            RawMessage response = client.readResponse();
            assertThat(response.values("transfer-encoding")).containsExactly("chunked");
            assertThat(response.body()).isEqualTo(body.toUpperCase(java.util.Locale.ROOT));
            assertThat(client.get("/").body()).isEqualTo("NO");
        }
    }

    @Test
    void aTransformThatThrowsAbortsTheExchangeOnly() throws Exception {
        Filter out = sync(FilterPhase.OUTBOUND, BodyNeed.NONE, e -> {
            e.getResponse().transformBody(piece -> {
                throw new IllegalStateException("on purpose: a transform that throws");
            });
            return e.proceed();
        });
        try (ScriptedOrigin origin = echo();
                Running gateway =
                        Setup.to(origin.address()).filters(FilterSet.of(out)).start()) {
            for (int i = 0; i < 3; i++) {
                try (RawClient client = gateway.client()) {
                    client.send("GET /x HTTP/1.1\r\nHost: a\r\n\r\n");
                    client.awaitEnd();
                    assertThat(gateway.nextOutcome().error()).isEqualTo(ErrorKind.INTERNAL);
                }
            }
            origin.awaitOpenConnections(0);
        }
    }

    @Test
    void aFilterMayChooseUpstreamRouteAndTimes() throws Exception {
        Gate gate = new Gate();
        Filter chooses = sync(FilterPhase.INBOUND, BodyNeed.NONE, e -> {
            switch (e.getRequest().getPath()) {
                case "/upstream" -> e.setUpstream("other");
                case "/route" -> e.setRoute("fixed");
                case "/slow" -> e.setResponseTimeout(Duration.ofMillis(200));
                case "/short" -> e.setExchangeTimeout(Duration.ofMillis(200));
                case "/unknown" -> e.setUpstream("nowhere");
                default -> {}
            }
            return e.proceed();
        });
        try (ScriptedOrigin origin = ScriptedOrigin.answering((r, c) -> {
                    if (r.target().equals("/slow") || r.target().equals("/short")) {
                        c.stallUntil(gate);
                    }
                    c.send(Responses.ok("origin"));
                });
                ScriptedOrigin other = ScriptedOrigin.answering((r, c) -> c.send(Responses.ok("other")));
                Running gateway = Setup.to(origin.address())
                        .upstream("other", new InetSocketAddress[] {other.address()})
                        .route("fixed", "/fixed", new RouteAction.Respond(200, java.util.Map.of(), "fixed"))
                        .route("all", "/**", new RouteAction.Proxy("origin"))
                        .filters(FilterSet.of(chooses))
                        .start();
                RawClient client = gateway.client()) {
            assertThat(client.get("/").body()).isEqualTo("origin");
            assertThat(client.get("/upstream").body()).isEqualTo("other");
            assertThat(client.get("/route").body()).isEqualTo("fixed");
            assertThat(client.get("/unknown").status()).isEqualTo(500);
            assertThat(client.get("/slow").status()).isEqualTo(504);
            assertThat(client.get("/short").status()).isEqualTo(504);
            gate.open();
        }
    }

    private static final class Sleeper implements InboundFilter, BlockingFilter {
        @Override
        public boolean applies(FilterExchange exchange) {
            return exchange.getRequest().getPath().equals("/blocked");
        }

        @Override
        public FilterOutcome filter(FilterExchange exchange) throws Exception {
            Thread.sleep(200);
            exchange.getRequest().getHeaders().set("x-slept", "1");
            return exchange.proceed();
        }
    }

    @Test
    void aBlockingFilterDelaysItsExchangeOnly() throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.answering(
                        (r, c) -> c.send(Responses.ok(r.value("x-slept").orElse("awake"))));
                Running gateway = Setup.to(origin.address())
                        .workers(1)
                        .filters(FilterSet.of(new Sleeper()))
                        .start();
                RawClient blocked = gateway.client();
                RawClient free = gateway.client()) {
            blocked.send("GET /blocked HTTP/1.1\r\nHost: a\r\n\r\n");
            for (int i = 0; i < 20; i++) {
                assertThat(free.get("/free").body()).isEqualTo("awake");
            }
            assertThat(blocked.readResponse().body()).isEqualTo("1");
        }
    }

    /** Lets another thread read the exchange, and waits for its result. */
    private record Lends(AtomicReference<String> seen) implements InboundFilter, SyncFilter {
        @Override
        public FilterOutcome filter(FilterExchange exchange) {
            Runnable look = () -> {
                try {
                    seen.set(exchange.getRequest().getPath());
                } catch (IllegalStateException e) {
                    seen.set("refused");
                }
            };
            new Thread(look).start();
            // Busy rather than blocked: the watch over blocked loops would end any kind of wait at once.
            long began = System.nanoTime();
            long now = began;
            while ("".equals(seen.get()) && now - began < TimeUnit.SECONDS.toNanos(5)) {
                now = System.nanoTime();
            }
            return exchange.proceed();
        }
    }

    @Test
    void theExchangeOfASynchronousFilterRejectsOtherThreads() throws Exception {
        Lends lends = new Lends(new AtomicReference<>(""));
        try (ScriptedOrigin origin = echo();
                Running gateway =
                        Setup.to(origin.address()).filters(FilterSet.of(lends)).start();
                RawClient client = gateway.client()) {
            assertThat(client.get("/x").status()).isEqualTo(200);
            assertThat(lends.seen()).hasValue("refused");
        }
    }

    private static final class Hog implements OutboundFilter, SyncFilter {
        @Override
        public FilterOutcome filter(FilterExchange exchange) {
            long began = System.nanoTime();
            // Busy rather than blocked: the watch over blocked loops would end any kind of wait at once.
            long now = began;
            while (now - began < TimeUnit.MILLISECONDS.toNanos(400)) {
                now = System.nanoTime();
            }
            exchange.getResponse().getHeaders().set("x-hog", "1");
            return exchange.proceed();
        }
    }

    @Test
    void aFilterThatHoldsTheLoopIsEjectedAfterThreeStrikes() throws Exception {
        try (ScriptedOrigin origin = echo();
                Running gateway = Setup.to(origin.address())
                        .filters(FilterSet.of(new Hog()))
                        .start();
                RawClient client = gateway.client()) {
            int held = 0;
            while (client.get("/x").has("x-hog")) {
                held++;
            }
            // A busy machine may keep the watchdog from seeing some of them.
            assertThat(held).isGreaterThanOrEqualTo(3);
            FilterSlot slot = gateway.gateway().generation().filters().slots().get(0);
            assertThat(slot.isEjected()).isTrue();
            // A run that begins just before the ejection may get a fourth strike.
            assertThat(slot.strikes()).isBetween(3, 4);
            // The next generation enables it again.
            gateway.gateway().apply(gateway.gateway().generation().config());
            assertThat(client.get("/x").has("x-hog")).isTrue();
        }
    }

    /** Its transforms hold the loop until the watchdog has seen it, however busy the machine is, and it does not. */
    private static final class SlowTransforms implements OutboundFilter, SyncFilter {
        private final AtomicReference<FilterStats> stats = new AtomicReference<>();

        @Override
        public FilterOutcome filter(FilterExchange exchange) {
            exchange.getResponse().transformBody(piece -> {
                FilterStats own = Objects.requireNonNull(stats.get());
                long before = own.strikes();
                long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(9);
                long now = System.nanoTime();
                while (own.strikes() == before && now < end) {
                    now = System.nanoTime();
                }
                return piece;
            });
            return exchange.proceed();
        }
    }

    @Test
    void aFilterWhoseTransformHoldsTheLoopIsEjectedAsWell() throws Exception {
        SlowTransforms filter = new SlowTransforms();
        try (ScriptedOrigin origin = echo();
                Running gateway =
                        Setup.to(origin.address()).filters(FilterSet.of(filter)).start();
                RawClient client = gateway.client()) {
            FilterSlot slot = gateway.gateway().generation().filters().slots().get(0);
            filter.stats.set(slot.stats());
            for (int requests = 0; requests < 3; requests++) {
                client.get("/x");
            }
            // The watchdog counts a strike before it ejects the filter.
            eventually(() -> assertThat(slot.isEjected()).isTrue());
            assertThat(slot.stats().strikes()).isEqualTo(3);
        }
    }

    @Test
    void theConfigurationDeterminesTheReactionToAFilterThatHoldsTheLoop() throws Exception {
        FilterGuard warn = new FilterGuard(FilterGuard.Action.WARN, Duration.ofMillis(50), 1);
        FilterGuard eject = new FilterGuard(FilterGuard.Action.EJECT, Duration.ofMillis(50), 1);
        try (ScriptedOrigin origin = echo()) {
            GatewayConfig config = Setup.to(origin.address()).config();
            FilterSet filters = FilterSet.of(new Hog());
            try (Gateway gateway = Gateway.start(config.withFilters(guarded(warn)), filters, ExchangeObserver.NONE);
                    RawClient client = RawClient.connect(gateway.address("main"))) {
                FilterStats stats =
                        gateway.generation().filters().slots().get(0).stats();
                while (stats.strikes() == 0) {
                    assertThat(client.get("/x").has("x-hog")).as("warned only").isTrue();
                }
                assertThat(client.get("/x").has("x-hog")).isTrue();

                gateway.apply(config.withFilters(guarded(eject)));
                int held = 0;
                while (client.get("/x").has("x-hog")) {
                    held++;
                }
                assertThat(held).isPositive();
                FilterSlot slot = gateway.generation().filters().slots().get(0);
                assertThat(slot.isEjected()).isTrue();
                // A run that begins just before the ejection may get a second strike.
                assertThat(slot.strikes()).isBetween(1, 2);
            }
        }
    }

    private static FiltersConfig guarded(FilterGuard guard) {
        return new FiltersConfig(null, List.of(), guard);
    }

    @Test
    void tracesFiltersOnlyForRequestsWithTheSecret() throws Exception {
        Filter in = sync(FilterPhase.INBOUND, BodyNeed.NONE, e -> {
            e.getRequest().setPath("/changed");
            e.getRequest().getHeaders().set("Authorization", "hidden");
            e.getRequest().getHeaders().set("Referer", "https://a/?token=hidden");
            e.getRequest().setQuery("a=1&%74oken=hidden");
            return e.proceed();
        });
        Filter out = sync(FilterPhase.OUTBOUND, BodyNeed.NONE, e -> {
            e.getResponse().setStatus(299);
            throw new IllegalStateException("on purpose: a filter that throws");
        });
        TraceConfig trace = new TraceConfig("x-trace", "0123456789abcdef", MatchConfig.path("/looked-for"), true);
        try (ScriptedOrigin origin = ScriptedOrigin.answering(
                        (r, c) -> c.send(Responses.ok(r.value("x-trace").orElse("not sent on"))));
                Running gateway = Setup.to(origin.address())
                        .filters(FilterSet.of(in, out).traced(trace))
                        .start();
                RawClient client = gateway.client()) {
            client.send("GET /x HTTP/1.1\r\nHost: a\r\nX-Trace: 0123456789abcdef\r\n\r\n");
            RawMessage known = client.readResponse();
            assertThat(known.body()).isEqualTo("not sent on");
            assertThat(known.value("x-trace").orElseThrow())
                    .contains("\"generation\":1,\"route\":\"all\"")
                    .contains("\"filter\":\"test\",\"stage\":\"global\"")
                    .contains("\"outcome\":\"proceed\",\"changes\":[\":path: /x -> /changed\","
                            + "\":query: null -> a=1&%74oken=***\",\"authorization: none -> ***\","
                            + "\"referer: none -> https://a/?token=***\"]")
                    .contains("\"stage\":\"outbound\"")
                    .contains("\":status: 200 -> 299\"");
            client.send("GET /x HTTP/1.1\r\nHost: a\r\nX-Trace: 0123456789abcdeF\r\n\r\n");
            RawMessage guessed = client.readResponse();
            assertThat(guessed.body()).isEqualTo("not sent on");
            assertThat(guessed.has("x-trace")).isFalse();
            // Traced in the log, but the client is a stranger.
            assertThat(client.get("/looked-for").has("x-trace")).isFalse();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"X-Trace", "x_trace"})
    void theSecretReachesNoOriginAsATrailer(String name) throws Exception {
        TraceConfig trace = new TraceConfig("x-trace", "0123456789abcdef", null, true);
        try (ScriptedOrigin origin = ScriptedOrigin.answering((r, c) -> c.send(Responses.ok("x")));
                Running gateway = Setup.to(origin.address())
                        .filters(FilterSet.of().traced(trace))
                        .start();
                RawClient client = gateway.client()) {
            client.send("POST / HTTP/1.1\r\nHost: a\r\nX_Trace: 0123456789abcdef\r\nTransfer-Encoding: chunked\r\n"
                            + "\r\n0\r\n" + name + ": 0123456789abcdef\r\nX-Sum: 1\r\n\r\n")
                    .readResponse();
            RawMessage seen = origin.awaitRequests(1).get(0);
            assertThat(seen.has("x_trace")).isFalse();
            assertThat(seen.trailers()).extracting(RawMessage.Field::name).containsExactly("X-Sum");
        }
    }
}
