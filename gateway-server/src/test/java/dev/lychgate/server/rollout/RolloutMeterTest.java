package dev.lychgate.server.rollout;

import static dev.lychgate.testing.Eventually.eventually;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lychgate.chain.FilterSet;
import dev.lychgate.chain.FilterSlot.Ejection;
import dev.lychgate.config.AbortRules;
import dev.lychgate.filter.FailurePolicy;
import dev.lychgate.filter.Filter;
import dev.lychgate.filter.FilterPhase;
import dev.lychgate.gateway.Gateway;
import dev.lychgate.server.metrics.Gateways;
import dev.lychgate.server.rollout.Figures.Traffic;
import dev.lychgate.testing.Gate;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.Responses;
import dev.lychgate.testing.ScriptedOrigin;
import dev.lychgate.testing.TestFilter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The meter counts exchanges of two generations over sockets, and forgets them at the right time. */
@Tag("slow")
class RolloutMeterTest {
    private static final int CLIENTS = 8;
    private static final int REQUESTS = 120;

    private final ScriptedOrigin origin = ScriptedOrigin.start()
            .onConnection(c -> c.answerEvery(request -> Responses.of(
                    request.startLine().contains("missing")
                            ? 404
                            : request.startLine().contains("down") ? 503 : 200,
                    "x")));
    private final RolloutMeter meter = new RolloutMeter();
    private final Gateway gateway =
            Gateway.start(Gateways.to(origin.port()), FilterSet.of(failingOn("fail-open")), meter);
    private final ExecutorService threads = Executors.newCachedThreadPool();

    @AfterEach
    void close() {
        threads.shutdownNow();
        gateway.close();
        origin.close();
    }

    /** A filter that throws for requests with a text in their path. */
    private static Filter failingOn(String text) {
        return TestFilter.of("picky", FilterPhase.INBOUND, exchange -> {
                    if (exchange.getRequest().getPath().contains(text)) {
                        throw new IllegalStateException("on purpose");
                    }
                    return exchange.proceed();
                })
                .failing(text.contains("open") ? FailurePolicy.FAIL_OPEN : FailurePolicy.FAIL_CLOSED);
    }

    private RawClient client() throws Exception {
        return RawClient.connect(gateway.address("main"));
    }

    /** Sends each of the paths equally often, from several clients at once. */
    private void send(String... paths) throws Exception {
        List<Future<?>> all = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            all.add(threads.submit(() -> {
                try (RawClient client = client()) {
                    for (int j = 0; j < REQUESTS; j++) {
                        client.get(paths[j % paths.length]);
                    }
                }
                return null;
            }));
        }
        for (Future<?> each : all) {
            each.get();
        }
    }

    private Figures figures() {
        return requireNonNull(meter.figures());
    }

    private static void assertFigures(
            Traffic traffic, long exchanges, long errors, long filterFailures, Map<String, Long> statuses) {
        assertThat(traffic.exchanges()).isEqualTo(exchanges);
        assertThat(traffic.errors()).isEqualTo(errors);
        assertThat(traffic.filterFailures()).isEqualTo(filterFailures);
        assertThat(traffic.statuses()).isEqualTo(statuses);
    }

    @Test
    void countsEveryExchangeOnceWhileOthersRead() throws Exception {
        AtomicBoolean over = new AtomicBoolean();
        meter.begin(1, 2, AbortRules.DEFAULT, 3);
        Future<?> reader = threads.submit(() -> {
            while (!over.get()) {
                meter.judgement();
                meter.figures();
            }
        });
        long part = CLIENTS * REQUESTS / 4;

        send("/api/a", "/api/missing", "/api/down", "/nowhere");
        gateway.apply(Gateways.to(origin.port()), FilterSet.of(failingOn("fail-open")));
        send("/api/a", "/api/missing", "/api/fail-open", "/nowhere");

        eventually(() -> {
            Figures figures = figures();
            assertThat(figures.stable().generation()).isEqualTo(1);
            assertThat(figures.candidate().generation()).isEqualTo(2);
            assertFigures(figures.stable().all(), 4 * part, part, 0, Map.of("2xx", part, "4xx", 2 * part, "5xx", part));
            assertFigures(figures.candidate().all(), 4 * part, 0, part, Map.of("2xx", 2 * part, "4xx", 2 * part));
            assertThat(figures.candidate().routes()).containsOnlyKeys("-", "api");
            assertFigures(
                    requireNonNull(figures.candidate().routes().get("api")),
                    3 * part,
                    0,
                    part,
                    Map.of("2xx", 2 * part, "4xx", part));
            assertFigures(
                    requireNonNull(figures.stable().routes().get(RolloutMeter.NO_ROUTE)),
                    part,
                    0,
                    0,
                    Map.of("4xx", part));
        });
        Traffic all = figures().candidate().all();
        assertThat(all.p50()).isPositive().isLessThanOrEqualTo(all.p99());
        over.set(true);
        reader.get();
    }

    @Test
    void countsNothingOfOtherGenerationsAndOfRequestsWithoutAHead() throws Exception {
        meter.begin(7, 8, AbortRules.DEFAULT, 3);
        send("/api/a");
        assertThat(figures().stable().all().exchanges()).isZero();

        meter.begin(1, 2, AbortRules.DEFAULT, 3);
        try (RawClient client = client()) {
            client.send("nonsense\r\n\r\n").readResponse();
        }
        try (RawClient client = client()) {
            client.get("/api/a");
        }
        eventually(() -> assertFigures(figures().stable().all(), 1, 0, 0, Map.of("2xx", 1L)));
    }

    @Test
    void aStepForgetsAndCountsNoExchangeThatBeganBefore() throws Exception {
        Gate held = new Gate();
        origin.onConnection(c -> {
            c.readRequest();
            held.await();
            c.send(Responses.ok("late"));
            c.answerEvery(request -> Responses.ok("x"));
        });
        meter.begin(1, 2, AbortRules.DEFAULT, 3);
        try (RawClient client = client()) {
            client.send("GET /api/a HTTP/1.1\r\nHost: a.example\r\n\r\n");
            origin.awaitRequests(1);
            meter.step();
            held.open();
            client.readResponse();
            client.get("/api/b");

            eventually(() -> assertThat(figures().stable().all().exchanges()).isOne());
        }
    }

    @Test
    void hasNoFiguresAfterTheEnd() throws Exception {
        meter.begin(1, 2, AbortRules.DEFAULT, 3);
        send("/api/a");
        meter.end();
        send("/api/a");

        assertThat(meter.figures()).isNull();
        assertThat(meter.judgement()).isEqualTo(Judgement.NONE);
        assertThatThrownBy(meter::step).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void anEjectedFilterOfTheCandidateAbortsAtOnce() throws Exception {
        meter.begin(1, 2, AbortRules.DEFAULT, 3);
        send("/api/a");
        gateway.apply(Gateways.to(origin.port()), FilterSet.of(failingOn("fail-open")));
        send("/api/a");
        eventually(() -> assertThat(figures().candidate().all().exchanges()).isPositive());
        assertThat(meter.judgement().verdict()).isNotEqualTo(Verdict.ABORT);

        gateway.generation().filters().slots().get(0).eject(Ejection.NOT_RUN);

        Judgement judgement = meter.judgement();
        assertThat(judgement.verdict()).isEqualTo(Verdict.ABORT);
        assertThat(judgement.summary()).isEqualTo("filter-budget inbound filter picky is ejected");
    }
}
