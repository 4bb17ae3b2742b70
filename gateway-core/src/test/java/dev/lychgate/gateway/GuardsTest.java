package dev.lychgate.gateway;

import static dev.lychgate.gateway.Problems.assertProblem;
import static dev.lychgate.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.config.BreakerConfig;
import dev.lychgate.config.BulkheadConfig;
import dev.lychgate.config.EndpointConfig;
import dev.lychgate.config.OnFailure;
import dev.lychgate.config.Percent;
import dev.lychgate.config.RetryBudgetConfig;
import dev.lychgate.config.RouteResilience;
import dev.lychgate.config.UpstreamConfig;
import dev.lychgate.config.UpstreamResilience;
import dev.lychgate.error.ErrorKind;
import dev.lychgate.testing.Gate;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.RawMessage;
import dev.lychgate.testing.Responses;
import dev.lychgate.testing.ScriptedOrigin;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The guards between an upstream and its clients, with real sockets. */
@Tag("slow")
class GuardsTest {
    private static final RetryBudgetConfig BUDGET = RetryBudgetConfig.DEFAULT;

    private static UpstreamConfig upstream(UpstreamResilience resilience, ScriptedOrigin... origins) {
        EndpointConfig[] endpoints = new EndpointConfig[origins.length];
        for (int i = 0; i < endpoints.length; i++) {
            endpoints[i] = new EndpointConfig("127.0.0.1", origins[i].port());
        }
        return UpstreamConfig.of("origin", endpoints).withResilience(resilience);
    }

    private static BreakerConfig breaker(Duration open, boolean perEndpoint) {
        return new BreakerConfig(new Percent(50), Duration.ofSeconds(10), 10, open, perEndpoint);
    }

    @Test
    void aFailingUpstreamGetsOnlyOneProbe() throws Exception {
        AtomicInteger status = new AtomicInteger(500);
        UpstreamResilience guarded = new UpstreamResilience(BUDGET, breaker(Duration.ofSeconds(2), false), null, null);
        try (ScriptedOrigin origin = ScriptedOrigin.answering((r, c) -> c.send(Responses.of(status.get(), "x")));
                Running gateway =
                        new Setup().upstream(upstream(guarded, origin)).start();
                RawClient client = gateway.client()) {
            for (int i = 0; i < 10; i++) {
                assertThat(client.get("/").status()).isEqualTo(500);
            }
            RawMessage refused = client.get("/");
            assertProblem(refused, 503, ErrorKind.CIRCUIT_OPEN);
            assertThat(refused.value("retry-after"))
                    .hasValueSatisfying(rest -> assertThat(rest).isIn("1", "2"));
            assertThat(origin.requestsSeen()).isEqualTo(10);

            eventually(() -> assertThat(client.get("/").status()).isEqualTo(500));
            assertThat(origin.requestsSeen()).as("the probe that failed").isEqualTo(11);
            assertProblem(client.get("/"), 503, ErrorKind.CIRCUIT_OPEN);

            status.set(200);
            eventually(() -> assertThat(client.get("/").status()).isEqualTo(200));
            assertThat(client.get("/").status()).isEqualTo(200);
        }
    }

    @Test
    void disconnectingClientsAnd400sAreNoFailuresOfTheOrigin() throws Exception {
        UpstreamResilience guarded = new UpstreamResilience(BUDGET, breaker(Duration.ofSeconds(2), false), null, null);
        Gate gate = new Gate();
        try (ScriptedOrigin origin = ScriptedOrigin.answering((r, c) -> {
                    if (r.target().equals("/slow")) {
                        c.stallUntil(gate);
                    }
                    c.send(Responses.of(404, "x"));
                });
                Running gateway =
                        new Setup().upstream(upstream(guarded, origin)).start()) {
            for (int i = 1; i <= 15; i++) {
                try (RawClient leaver = gateway.client()) {
                    leaver.send("GET /slow HTTP/1.1\r\nHost: a\r\n\r\n");
                    origin.awaitRequests(i);
                }
            }
            gate.open();
            try (RawClient client = gateway.client()) {
                for (int i = 0; i < 30; i++) {
                    assertThat(client.get("/").status()).isEqualTo(404);
                }
            }
        }
    }

    @Test
    void withACircuitForEachEndpointTheOthersTakeOver() throws Exception {
        UpstreamResilience guarded = new UpstreamResilience(BUDGET, breaker(Duration.ofSeconds(30), true), null, null);
        try (ScriptedOrigin bad = ScriptedOrigin.answering((r, c) -> c.send(Responses.of(500, "bad")));
                ScriptedOrigin good = ScriptedOrigin.answering((r, c) -> c.send(Responses.ok("good")));
                Running gateway =
                        new Setup().upstream(upstream(guarded, bad, good)).start();
                RawClient client = gateway.client()) {
            while (bad.requestsSeen() < 10) {
                client.get("/");
            }
            for (int i = 0; i < 20; i++) {
                assertThat(client.get("/").body()).isEqualTo("good");
            }
        }
    }

    @Test
    void noMoreAreUnderWayThanTheBulkheadHolds() throws Exception {
        UpstreamResilience guarded = new UpstreamResilience(BUDGET, null, new BulkheadConfig(2), null);
        holdsTwo(new Setup(), guarded);
    }

    @Test
    void noMoreAreUnderWayThanTheBulkheadOfTheRouteHolds() throws Exception {
        Setup setup = new Setup().resilience(new RouteResilience(null, new BulkheadConfig(2), 5, OnFailure.FAIL_FAST));
        holdsTwo(setup, UpstreamResilience.DEFAULT);
    }

    private static void holdsTwo(Setup setup, UpstreamResilience resilience) throws Exception {
        Gate gate = new Gate();
        try (ScriptedOrigin origin =
                        ScriptedOrigin.answering((r, c) -> c.stallUntil(gate).send(Responses.ok("x")));
                Running gateway = setup.upstream(upstream(resilience, origin)).start();
                RawClient first = gateway.client();
                RawClient second = gateway.client();
                RawClient third = gateway.client()) {
            first.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
            second.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
            origin.awaitRequests(2);
            RawMessage refused = third.get("/");
            assertProblem(refused, 503, ErrorKind.BULKHEAD_FULL);
            assertThat(refused.value("retry-after")).hasValue("1");

            gateway.gateway().apply(setup.config());
            assertProblem(third.get("/"), 503, ErrorKind.BULKHEAD_FULL);

            gate.open();
            assertThat(first.readResponse().status()).isEqualTo(200);
            assertThat(second.readResponse().status()).isEqualTo(200);
            assertThat(third.get("/").status()).isEqualTo(200);
        }
    }

    @Test
    void everyPermitIsReleasedRegardlessOfTheEnd() throws Exception {
        UpstreamResilience guarded = new UpstreamResilience(BUDGET, null, new BulkheadConfig(3), null);
        try (ScriptedOrigin origin = ScriptedOrigin.answering((r, c) -> {
                    switch (r.target()) {
                        case "/reset" -> c.reset();
                        case "/half" -> {
                            c.send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf");
                            c.reset();
                        }
                        default -> c.send(Responses.ok("x"));
                    }
                });
                Running gateway =
                        new Setup().upstream(upstream(guarded, origin)).start()) {
            for (int i = 0; i < 30; i++) {
                try (RawClient client = gateway.client()) {
                    String path = i % 3 == 0 ? "/reset" : i % 3 == 1 ? "/half" : "/";
                    client.send("GET " + path + " HTTP/1.1\r\nHost: a\r\n\r\n");
                    if (i % 2 == 0) {
                        client.readHead();
                    }
                }
            }
            eventually(() -> assertThat(Objects.requireNonNull(
                                    gateway.gateway().generation().upstream("origin"))
                            .protection()
                            .tally()
                            .underWay())
                    .isZero());
            try (RawClient client = gateway.client()) {
                assertThat(client.get("/").status()).isEqualTo(200);
            }
        }
    }
}
