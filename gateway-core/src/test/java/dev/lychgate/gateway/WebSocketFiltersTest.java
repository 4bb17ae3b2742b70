package dev.lychgate.gateway;

import static dev.lychgate.gateway.Problems.assertProblem;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.chain.FilterSet;
import dev.lychgate.config.WebSocketConfig;
import dev.lychgate.error.ErrorKind;
import dev.lychgate.filter.AsyncFilter;
import dev.lychgate.filter.BodyNeed;
import dev.lychgate.filter.FailurePolicy;
import dev.lychgate.filter.Filter;
import dev.lychgate.filter.FilterExchange;
import dev.lychgate.filter.FilterOutcome;
import dev.lychgate.filter.FilterPhase;
import dev.lychgate.filter.SyncFilter;
import dev.lychgate.testing.Gate;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.RawMessage;
import dev.lychgate.testing.Responses;
import dev.lychgate.testing.ScriptedOrigin;
import dev.lychgate.testing.WebSockets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The part of a WebSocket that filters receive: the handshake, as an ordinary exchange, and no later byte. */
class WebSocketFiltersTest {
    private static final byte[] HELLO = WebSockets.masked(WebSockets.TEXT, "hello");

    private interface Decision {
        FilterOutcome on(FilterExchange exchange);
    }

    private record Sync(String name, FilterPhase phase, BodyNeed body, Decision decision) implements SyncFilter {
        @Override
        public FailurePolicy onFailure() {
            return FailurePolicy.FAIL_CLOSED;
        }

        @Override
        public FilterOutcome filter(FilterExchange exchange) {
            return decision.on(exchange);
        }
    }

    private static Sync filter(FilterPhase phase, Decision decision) {
        return new Sync("plain", phase, BodyNeed.NONE, decision);
    }

    private static Running start(ScriptedOrigin origin, Filter... filters) {
        return Setup.to(origin.address())
                .webSocket(WebSocketConfig.DEFAULT)
                .filters(FilterSet.of(filters))
                .start();
    }

    private static ScriptedOrigin echo() {
        return ScriptedOrigin.start().onConnection(WebSockets::echo);
    }

    private static RawMessage expectEcho(RawClient client) throws Exception {
        RawMessage granted = client.send(WebSockets.handshake("/")).readHead();
        assertThat(granted.status()).isEqualTo(101);
        assertThat(client.send(HELLO).readBytes(HELLO.length)).isEqualTo(HELLO);
        return granted;
    }

    @Test
    void filtersMayChangeTheFieldsOfBothHeads() throws Exception {
        Filter in = filter(FilterPhase.INBOUND, e -> {
            assertThat(e.getRequest().isWebSocket()).isTrue();
            assertThat(e.getRequest().getHeaders().get("sec-websocket-key")).isNull();
            e.getRequest().getHeaders().set("x-user", "one");
            return e.proceed();
        });
        Filter out = filter(FilterPhase.OUTBOUND, e -> {
            assertThat(e.getResponse().getStatus()).isEqualTo(101);
            e.getResponse().getHeaders().set("x-seen", "yes");
            return e.proceed();
        });
        try (ScriptedOrigin origin = echo();
                Running gateway = start(origin, in, out);
                RawClient client = gateway.client()) {
            assertThat(expectEcho(client).value("x-seen")).contains("yes");
            assertThat(origin.requests().get(0).value("x-user")).contains("one");
        }
    }

    @Test
    void filtersMayRefuseBeforeTheRequestToTheOrigin() throws Exception {
        Filter in = filter(FilterPhase.INBOUND, e -> e.respond(401));
        try (ScriptedOrigin origin = ScriptedOrigin.start();
                Running gateway = start(origin, in);
                RawClient client = gateway.client()) {
            assertThat(client.send(WebSockets.handshake("/")).readResponse().status())
                    .isEqualTo(401);
            assertThat(origin.connectionsAccepted()).isZero();
        }
    }

    @Test
    void filtersMayRefuseAHandshakeThatTheOriginAccepted() throws Exception {
        AtomicInteger calls = new AtomicInteger();
        Filter out =
                filter(FilterPhase.OUTBOUND, e -> calls.incrementAndGet() == 1 ? e.respond(403, "no") : e.proceed());
        try (ScriptedOrigin origin = ScriptedOrigin.start()
                        .onNextConnection(WebSockets::echo)
                        .onConnection(c -> c.answerEvery(r -> Responses.ok("plain")));
                Running gateway = start(origin, out);
                RawClient client = gateway.client()) {
            RawMessage refused = client.send(WebSockets.handshake("/")).readResponse();
            assertThat(refused.status()).isEqualTo(403);
            assertThat(refused.body()).isEqualTo("no");
            assertThat(client.get("/").body()).isEqualTo("plain");
        }
    }

    @Test
    void bytesWaitForAnAsynchronousFilter() throws Exception {
        Gate asked = new Gate();
        CompletableFuture<FilterOutcome> later = new CompletableFuture<>();
        Filter out = new AsyncFilter() {
            @Override
            public String name() {
                return "later";
            }

            @Override
            public FilterPhase phase() {
                return FilterPhase.OUTBOUND;
            }

            @Override
            public CompletionStage<FilterOutcome> filter(FilterExchange exchange) {
                asked.open();
                return later;
            }
        };
        try (ScriptedOrigin origin = ScriptedOrigin.start().onConnection(c -> {
                    c.send(WebSockets.granted(c.readRequest()) + "at once");
                    assertThat(c.readBytes(HELLO.length)).isEqualTo(HELLO);
                    c.send("and more").halfClose();
                    c.awaitEnd();
                });
                Running gateway = start(origin, out);
                RawClient client = gateway.client()) {
            client.send(WebSockets.handshake("/")).send(HELLO);
            asked.await();
            client.expectSilence(java.time.Duration.ofMillis(200));
            later.complete(FilterOutcome.proceed());
            assertThat(client.readHead().status()).isEqualTo(101);
            assertThat(new String(client.readUntilClose(), java.nio.charset.StandardCharsets.US_ASCII))
                    .isEqualTo("at onceand more");
        }
    }

    @Test
    void anOriginThatClosesWhileAFilterIsPendingEndsItRegularly() throws Exception {
        CompletableFuture<FilterOutcome> later = new CompletableFuture<>();
        Gate ended = new Gate();
        Filter out = new AsyncFilter() {
            @Override
            public String name() {
                return "later";
            }

            @Override
            public FilterPhase phase() {
                return FilterPhase.OUTBOUND;
            }

            @Override
            public CompletionStage<FilterOutcome> filter(FilterExchange exchange) {
                return later;
            }
        };
        try (ScriptedOrigin origin = ScriptedOrigin.start().onConnection(c -> {
                    c.send(WebSockets.granted(c.readRequest()) + "last words");
                    ended.open();
                });
                Running gateway = start(origin, out);
                RawClient client = gateway.client()) {
            client.send(WebSockets.handshake("/"));
            ended.await();
            origin.awaitOpenConnections(0);
            Thread.sleep(100);
            later.complete(FilterOutcome.proceed());
            assertThat(client.readHead().status()).isEqualTo(101);
            assertThat(new String(client.readUntilClose(), java.nio.charset.StandardCharsets.US_ASCII))
                    .isEqualTo("last words");
        }
    }

    @Test
    void filtersForBodiesReceiveNone() throws Exception {
        Filter transforms = filter(FilterPhase.OUTBOUND, e -> {
            e.getResponse().transformBody(piece -> new byte[0]);
            return e.proceed();
        });
        Filter reads = new Sync("reads", FilterPhase.OUTBOUND, BodyNeed.whole(1000), e -> {
            assertThat(e.getResponse().getBody()).isEmpty();
            return e.proceed();
        });
        try (ScriptedOrigin origin = echo();
                Running gateway = start(origin, transforms, reads);
                RawClient client = gateway.client()) {
            expectEcho(client);
        }
    }

    @Test
    void aChangeThatDoesNotApplyToATunnelIsAFailureOfTheFilter() throws Exception {
        for (Decision wrong : new Decision[] {
            e -> {
                e.getResponse().setStatus(200);
                return e.proceed();
            },
            e -> {
                e.getResponse().setBody(new byte[] {1});
                return e.proceed();
            }
        }) {
            try (ScriptedOrigin origin = echo();
                    Running gateway = start(origin, filter(FilterPhase.OUTBOUND, wrong));
                    RawClient client = gateway.client()) {
                client.send(WebSockets.handshake("/"));
                assertProblem(client.readResponse(), 500, ErrorKind.INTERNAL);
            }
        }
    }
}
