package dev.lychgate.gateway;

import static dev.lychgate.gateway.Candidates.CANARY;
import static dev.lychgate.gateway.Candidates.included;
import static dev.lychgate.gateway.Candidates.numbered;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.chain.FilterSet;
import dev.lychgate.chain.FilterUse;
import dev.lychgate.config.ByteSize;
import dev.lychgate.config.RetryConfig;
import dev.lychgate.config.WebSocketConfig;
import dev.lychgate.filter.AsyncFilter;
import dev.lychgate.filter.FilterExchange;
import dev.lychgate.filter.FilterOutcome;
import dev.lychgate.filter.InboundFilter;
import dev.lychgate.testing.Eventually;
import dev.lychgate.testing.Gate;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.RawMessage;
import dev.lychgate.testing.Responses;
import dev.lychgate.testing.ScriptedOrigin;
import dev.lychgate.testing.WebSockets;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** An exchange that began with the candidate keeps its routes, filters and upstreams, whatever becomes of the candidate. */
@Tag("slow")
class CandidateExchangesTest {
    /** The end of a candidate. */
    enum End {
        PROMOTED {
            @Override
            void of(Gateway gateway, Setup setup) {
                gateway.promote();
            }
        },
        WITHDRAWN {
            @Override
            void of(Gateway gateway, Setup setup) {
                gateway.withdraw();
            }
        },
        REPLACED {
            @Override
            void of(Gateway gateway, Setup setup) {
                gateway.introduce(setup.config(), FilterSet.EMPTY, included());
            }
        },
        PROMOTED_AND_REPLACED {
            @Override
            void of(Gateway gateway, Setup setup) {
                gateway.promote();
                gateway.apply(setup.config(), FilterSet.EMPTY);
            }
        };

        abstract void of(Gateway gateway, Setup setup);
    }

    private final AtomicInteger ended = new AtomicInteger();

    private FilterSet counted(FilterSet filters) {
        return filters.counted(new FilterUse(ended::incrementAndGet));
    }

    /** Ends the candidate. Its filters are open until the exchange has ended. */
    private void end(End end, Running gateway, Setup setup) {
        end.of(gateway.gateway(), setup);
        assertThat(ended).hasValue(0);
    }

    private void assertFiltersEnd(End end) throws Exception {
        if (end != End.PROMOTED) {
            Eventually.eventually(() -> assertThat(ended).hasValue(1));
        } else {
            assertThat(ended).hasValue(0);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aRequestWithASlowBodyKeepsTheCandidate(End end) throws Exception {
        try (ScriptedOrigin old = ScriptedOrigin.answering((r, c) -> c.send(Responses.ok("old")));
                ScriptedOrigin next = ScriptedOrigin.answering((r, c) -> c.send(Responses.ok("next " + r.body())))) {
            Setup stable = Setup.to(old.address());
            try (Running gateway = stable.start();
                    RawClient client = gateway.client()) {
                gateway.gateway()
                        .introduce(Setup.to(next.address()).config(), counted(FilterSet.of(numbered())), included());
                client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n" + CANARY + "\r\nab");
                next.awaitConnections(1);
                end(end, gateway, stable);
                client.send("cd");

                RawMessage response = client.readResponse();
                assertThat(response.body()).isEqualTo("next abcd");
                assertThat(response.value("x-generation")).contains("2");
                assertThat(gateway.nextOutcome().generation()).isEqualTo(2);
                assertFiltersEnd(end);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void aWebSocketKeepsTheCandidate(End end) throws Exception {
        try (ScriptedOrigin old = ScriptedOrigin.start();
                ScriptedOrigin next = ScriptedOrigin.start().onConnection(WebSockets::echo)) {
            Setup stable = Setup.to(old.address());
            Setup changed = Setup.to(next.address()).webSocket(WebSocketConfig.DEFAULT);
            try (Running gateway = stable.start();
                    RawClient client = gateway.client()) {
                gateway.gateway().introduce(changed.config(), counted(FilterSet.of(numbered())), included());
                client.send(WebSockets.handshake("/", CANARY.trim()));
                assertThat(client.readHead().status()).isEqualTo(101);
                end(end, gateway, stable);
                client.send("through".getBytes(StandardCharsets.US_ASCII));
                assertThat(client.readBytes(7)).isEqualTo("through".getBytes(StandardCharsets.US_ASCII));

                client.halfClose();
                assertThat(gateway.nextOutcome().generation()).isEqualTo(2);
                assertFiltersEnd(end);
            }
        }
    }

    private record Calls() implements AsyncFilter, InboundFilter {
        @Override
        public String name() {
            return "calls";
        }

        @Override
        public CompletionStage<? extends FilterOutcome> filter(FilterExchange exchange) {
            return exchange.call("users")
                    .get("/first")
                    .send()
                    .thenCompose(one -> exchange.call("users").get("/second").send())
                    .thenApply(two -> exchange.respond(200, two.getText() + exchange.getGeneration()));
        }
    }

    @ParameterizedTest
    @EnumSource
    void aCallOutKeepsTheCandidate(End end) throws Exception {
        Gate gate = new Gate();
        try (ScriptedOrigin old = ScriptedOrigin.start();
                ScriptedOrigin users = ScriptedOrigin.answering((r, c) -> {
                    if (r.target().equals("/first")) {
                        c.stallUntil(gate);
                    }
                    c.send(Responses.ok(r.target() + " "));
                })) {
            Setup stable = Setup.to(old.address());
            Setup changed = Setup.to(old.address()).upstream("users", users.address());
            try (Running gateway = stable.start();
                    RawClient client = gateway.client()) {
                gateway.gateway().introduce(changed.config(), counted(FilterSet.of(new Calls())), included());
                client.send(Candidates.get(CANARY));
                users.awaitRequests(1);
                end(end, gateway, stable);
                gate.open();

                assertThat(client.readResponse().body()).isEqualTo("/second 2");
                assertFiltersEnd(end);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void aRetryKeepsTheCandidate(End end) throws Exception {
        Gate gate = new Gate();
        AtomicInteger attempts = new AtomicInteger();
        RetryConfig retry = new RetryConfig(
                2,
                List.of("503"),
                Duration.ZERO,
                new RetryConfig.Backoff(Duration.ofMillis(1), Duration.ofMillis(2)),
                Duration.ofSeconds(1),
                ByteSize.ofKiB(64),
                false,
                null);
        try (ScriptedOrigin old = ScriptedOrigin.answering((r, c) -> c.send(Responses.ok("old")));
                ScriptedOrigin next = ScriptedOrigin.answering((r, c) -> {
                    if (attempts.incrementAndGet() == 1) {
                        c.stallUntil(gate).send(Responses.of(503, "later"));
                    } else {
                        c.send(Responses.ok("next"));
                    }
                })) {
            Setup stable = Setup.to(old.address());
            try (Running gateway = stable.start();
                    RawClient client = gateway.client()) {
                gateway.gateway()
                        .introduce(
                                Setup.to(next.address()).retrying(retry).config(),
                                counted(FilterSet.of(numbered())),
                                included());
                client.send(Candidates.get(CANARY));
                next.awaitRequests(1);
                end(end, gateway, stable);
                gate.open();

                RawMessage response = client.readResponse();
                assertThat(response.body()).isEqualTo("next");
                assertThat(response.value("x-generation")).contains("2");
                assertThat(gateway.nextOutcome().attempts()).isEqualTo(2);
                assertFiltersEnd(end);
            }
        }
    }
}
