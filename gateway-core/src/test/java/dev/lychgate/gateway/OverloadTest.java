package dev.lychgate.gateway;

import static dev.lychgate.gateway.Problems.assertProblem;
import static dev.lychgate.testing.Eventually.eventually;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.chain.FilterSet;
import dev.lychgate.config.BreakerConfig;
import dev.lychgate.config.BulkheadConfig;
import dev.lychgate.config.EndpointConfig;
import dev.lychgate.config.LimitKey;
import dev.lychgate.config.MirrorConfig;
import dev.lychgate.config.OnFailure;
import dev.lychgate.config.OverloadConfig;
import dev.lychgate.config.OverloadPageConfig;
import dev.lychgate.config.Percent;
import dev.lychgate.config.PriorityConfig;
import dev.lychgate.config.RateLimitConfig;
import dev.lychgate.config.RetryBudgetConfig;
import dev.lychgate.config.RouteAction;
import dev.lychgate.config.RouteResilience;
import dev.lychgate.config.UpstreamConfig;
import dev.lychgate.config.UpstreamResilience;
import dev.lychgate.error.ErrorKind;
import dev.lychgate.exchange.call.MirrorOutcome;
import dev.lychgate.filter.FilterExchange;
import dev.lychgate.filter.FilterOutcome;
import dev.lychgate.filter.FilterPhase;
import dev.lychgate.filter.InboundFilter;
import dev.lychgate.filter.SyncFilter;
import dev.lychgate.generation.OverloadPolicy;
import dev.lychgate.resilience.OverloadLadder;
import dev.lychgate.resilience.OverloadLadder.Rung;
import dev.lychgate.testing.Gate;
import dev.lychgate.testing.Http2Client;
import dev.lychgate.testing.Http2Response;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.RawMessage;
import dev.lychgate.testing.Responses;
import dev.lychgate.testing.ScriptedOrigin;
import dev.lychgate.testing.TestFilter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** An upstream whose origin does not respond before the test permits it, with real sockets. */
@Tag("slow")
class OverloadTest {
    private static final Duration BROWNOUT = Duration.ofMillis(100);
    private static final Duration HOLD = Duration.ofSeconds(1);
    private static final OnFailure FAIL_FAST = OnFailure.FAIL_FAST;

    private final Gate gate = new Gate();
    private final ScriptedOrigin origin = ScriptedOrigin.answering((r, c) -> {
        gate.await(Duration.ofMinutes(1));
        c.send(Responses.ok("whole"));
    });
    private final List<RawClient> clients = new ArrayList<>();

    @AfterEach
    void stop() throws Exception {
        gate.open();
        for (RawClient client : clients) {
            client.close();
        }
        origin.close();
    }

    private static OverloadConfig overload(
            int reserve, @Nullable PriorityConfig priority, @Nullable OverloadPageConfig page, Duration hold) {
        return new OverloadConfig(
                Duration.ofMinutes(1),
                new Percent(99),
                new Percent(99),
                new Percent(reserve),
                priority,
                BROWNOUT,
                null,
                page,
                hold);
    }

    /** Settings with which no rung is left during a test. */
    private static OverloadConfig overload(
            int reserve, @Nullable PriorityConfig priority, @Nullable OverloadPageConfig page) {
        return overload(reserve, priority, page, Duration.ofHours(1));
    }

    private Setup setup(int bulkhead) {
        return new Setup()
                .upstream(UpstreamConfig.of("origin", new EndpointConfig("127.0.0.1", origin.port()))
                        .withResilience(new UpstreamResilience(
                                RetryBudgetConfig.DEFAULT, null, new BulkheadConfig(bulkhead), null)));
    }

    private static RouteResilience priority(int priority, OnFailure onFailure) {
        return new RouteResilience(null, null, priority, onFailure);
    }

    /** Sends requests on connections of their own, and waits until the origin has received them. */
    private void occupy(Running gateway, String path, int requests) throws Exception {
        int before = origin.requestsSeen();
        for (int i = 0; i < requests; i++) {
            RawClient client = gateway.client();
            clients.add(client);
            client.send("GET " + path + " HTTP/1.1\r\nHost: a\r\n\r\n");
        }
        origin.awaitRequests(before + requests);
    }

    private static OverloadPolicy policy(Running gateway) {
        return requireNonNull(gateway.gateway().generation().overload());
    }

    private static OverloadLadder ladder(Running gateway) {
        return requireNonNull(policy(gateway).ladders().get("origin"));
    }

    private static Rung rung(Running gateway) {
        return policy(gateway).position(ladder(gateway)).rung();
    }

    @Test
    void theReserveIsForRequestsWithAHigherPriority() throws Exception {
        Setup setup = setup(10)
                .overload(overload(20, null, null))
                .resilient("low", "/low", priority(0, FAIL_FAST))
                .resilient("high", "/high", priority(9, FAIL_FAST));
        try (Running gateway = setup.start();
                RawClient low = gateway.client();
                RawClient high = gateway.client()) {
            occupy(gateway, "/low", 8);
            assertProblem(low.get("/low"), 503, ErrorKind.BULKHEAD_FULL);
            assertThat(gateway.nextOutcome().shed()).isZero();
            occupy(gateway, "/high", 2);
            assertProblem(high.get("/high"), 503, ErrorKind.BULKHEAD_FULL);
            assertThat(gateway.nextOutcome().shed()).isEqualTo(9);
            assertThat(ladder(gateway).shed()).isEqualTo(2);
            assertThat(ladder(gateway).reached(Rung.SHED)).isOne();

            gate.open();
            for (RawClient client : clients) {
                assertThat(client.readResponse().status()).isEqualTo(200);
                assertThat(gateway.nextOutcome().shed()).isEqualTo(-1);
            }
            assertThat(low.get("/low").status()).isEqualTo(200);
        }
    }

    @Test
    void theBulkheadOfARouteHasAReserveToo() throws Exception {
        PriorityConfig byTier = new PriorityConfig(LimitKey.parse("header:x-tier"), Map.of("gold", 9));
        Setup setup = Setup.to(origin.address())
                .overload(overload(50, byTier, null))
                .resilience(new RouteResilience(null, new BulkheadConfig(2), 0, FAIL_FAST));
        try (Running gateway = setup.start();
                RawClient free = gateway.client();
                RawClient gold = gateway.client()) {
            occupy(gateway, "/", 1);
            assertProblem(free.get("/"), 503, ErrorKind.BULKHEAD_FULL);
            gold.send("GET / HTTP/1.1\r\nHost: a\r\nX-Tier: gold\r\n\r\n");
            origin.awaitRequests(2);
            assertThat(ladder(gateway).shed()).isOne();
            gate.open();
            assertThat(gold.readResponse().status()).isEqualTo(200);
        }
    }

    private static final class Tiers implements InboundFilter, SyncFilter {
        @Override
        public FilterOutcome filter(FilterExchange exchange) {
            boolean gold = exchange.getRequest().getPath().startsWith("/gold");
            exchange.getRequest().getHeaders().set("x-tier", gold ? "gold" : "free");
            return exchange.proceed();
        }
    }

    @Test
    void aFilterSelectsThePriorityByTheHeaderThatItSets() throws Exception {
        PriorityConfig byTier = new PriorityConfig(LimitKey.parse("header:x-tier"), Map.of("gold", 9, "free", 0));
        Setup setup = setup(2).overload(overload(50, byTier, null)).filters(FilterSet.of(new Tiers()));
        try (Running gateway = setup.start();
                RawClient client = gateway.client()) {
            occupy(gateway, "/a", 1);
            client.send("GET /b HTTP/1.1\r\nHost: a\r\nX-Tier: gold\r\n\r\n");
            assertProblem(client.readResponse(), 503, ErrorKind.BULKHEAD_FULL);
            assertThat(gateway.nextOutcome().shed()).isZero();
            occupy(gateway, "/gold", 1);
        }
    }

    private static final class Reduced implements InboundFilter, SyncFilter {
        @Override
        public FilterOutcome filter(FilterExchange exchange) {
            return exchange.isBrownout() ? exchange.respond(200, "reduced") : exchange.proceed();
        }
    }

    @Test
    void filtersSeeABrownoutAfterContinuousSheddingUntilTheHoldIsOver() throws Exception {
        FilterSet ofRoute = FilterSet.EMPTY.with(new Reduced(), Set.of("all"));
        try (Running gateway = setup(1).overload(overload(10, null, null, HOLD))
                        .filters(ofRoute)
                        .start();
                RawClient client = gateway.client()) {
            occupy(gateway, "/", 1);
            assertProblem(client.get("/"), 503, ErrorKind.BULKHEAD_FULL);
            eventually(() -> assertThat(client.get("/").body()).isEqualTo("reduced"));

            gate.open();
            eventually(() -> assertThat(client.get("/").body()).isEqualTo("whole"));
            eventually(() -> assertThat(rung(gateway)).isEqualTo(Rung.NORMAL));
            assertThat(ladder(gateway).reached(Rung.BROWNOUT)).isOne();
        }
    }

    @Test
    void shedRequestsGetTheFixedPageAfterALongerTime() throws Exception {
        OverloadPageConfig page = new OverloadPageConfig(
                Duration.ofMillis(200), 503, Map.of("content-type", "text/html", "retry-after", "30"), "<p>Later.</p>");
        try (Running gateway = setup(1).overload(overload(10, null, page)).start();
                RawClient client = gateway.client();
                Http2Client grpc = gateway.http2()) {
            occupy(gateway, "/", 1);
            assertProblem(client.get("/"), 503, ErrorKind.BULKHEAD_FULL);
            eventually(() -> assertThat(client.get("/").body()).isEqualTo("<p>Later.</p>"));
            RawMessage later = client.get("/");
            assertThat(later.status()).isEqualTo(503);
            assertThat(later.value("content-type")).contains("text/html");
            assertThat(later.value("retry-after")).contains("30");
            assertThat(later.value("cache-control")).contains("no-store");
            assertThat(rung(gateway)).isEqualTo(Rung.PAGE);

            Http2Response call =
                    grpc.post(1, "/s/M", "content-type", "application/grpc").response(1);
            assertThat(call.status()).isEqualTo(200);
            assertThat(call.value("grpc-status")).contains("14");
        }
    }

    @Test
    void anErrorFilterRespondsInsteadOfThePage() throws Exception {
        OverloadPageConfig page = new OverloadPageConfig(BROWNOUT, 503, Map.of(), "page");
        FilterSet sorry =
                FilterSet.of(TestFilter.of("sorry", FilterPhase.ERROR, exchange -> exchange.respond(503, "filter")));
        try (Running gateway = setup(1).overload(overload(10, null, page))
                        .filters(sorry)
                        .start();
                RawClient client = gateway.client()) {
            occupy(gateway, "/", 1);
            eventually(() -> {
                assertThat(client.get("/").body()).isEqualTo("filter");
                assertThat(rung(gateway)).isEqualTo(Rung.PAGE);
            });
            assertThat(client.get("/").body()).isEqualTo("filter");
        }
    }

    @Test
    void anOpenCircuitDoesNotLeadUpTheLadder() throws Exception {
        BreakerConfig atOnce =
                new BreakerConfig(new Percent(1), Duration.ofSeconds(10), 1, Duration.ofSeconds(30), false);
        Setup setup = new Setup()
                .overload(overload(10, null, null))
                .upstream(UpstreamConfig.of("origin", new EndpointConfig("127.0.0.1", origin.port()))
                        .withResilience(new UpstreamResilience(RetryBudgetConfig.DEFAULT, atOnce, null, null)))
                .timeouts(Setup.waiting(
                        Duration.ofSeconds(5),
                        Duration.ofSeconds(5),
                        Duration.ofMillis(200),
                        Duration.ofSeconds(5),
                        Duration.ofSeconds(9)));
        try (Running gateway = setup.start();
                RawClient client = gateway.client()) {
            assertProblem(client.get("/"), 504, ErrorKind.RESPONSE_TIMEOUT);
            assertProblem(client.get("/"), 503, ErrorKind.CIRCUIT_OPEN);
            assertThat(rung(gateway)).isEqualTo(Rung.NORMAL);
            assertThat(ladder(gateway).shed()).isZero();
        }
    }

    @Test
    void copiesOfAMirrorUseTheSmallestPart() throws Exception {
        try (ScriptedOrigin primary = ScriptedOrigin.answeringWhoStays((r, c) -> c.send(Responses.ok("primary")))) {
            UpstreamConfig shadow = UpstreamConfig.of("shadow", new EndpointConfig("127.0.0.1", origin.port()))
                    .withResilience(
                            new UpstreamResilience(RetryBudgetConfig.DEFAULT, null, new BulkheadConfig(2), null));
            Setup setup = Setup.to(primary.address())
                    .upstream(shadow)
                    .overload(overload(50, null, null))
                    .mirror(MirrorConfig.to("shadow"));
            try (Running gateway = setup.start();
                    RawClient client = gateway.client()) {
                assertThat(client.get("/").body()).isEqualTo("primary");
                origin.awaitRequests(1);
                assertThat(client.get("/").body()).isEqualTo("primary");
                assertThat(gateway.nextCopy().outcome()).isEqualTo(MirrorOutcome.REFUSED);
            }
        }
    }

    @Test
    void aFallbackReplacesShedRequestsWhichDoNotCountForTheirRoute() throws Exception {
        OnFailure fixed = new OnFailure(new RouteAction.Respond(200, Map.of(), "yesterday"), Set.of());
        Setup setup = setup(1).overload(overload(10, null, null)).resilience(priority(5, fixed));
        try (Running gateway = setup.start();
                RawClient client = gateway.client()) {
            occupy(gateway, "/", 1);
            assertThat(client.get("/").body()).isEqualTo("yesterday");
            assertThat(gateway.nextOutcome().shed()).isEqualTo(-1);
            assertThat(ladder(gateway).shed()).isOne();
        }
    }

    @Test
    void aRefusalByARateLimitOfARouteLeadsToTheRungLimit() throws Exception {
        gate.open();
        Setup setup = setup(10)
                .overload(overload(10, null, null, HOLD))
                .rateLimit("slow", RateLimitConfig.of("1/h"))
                .limited("api", "/**", "slow");
        try (Running gateway = setup.start();
                RawClient client = gateway.client()) {
            assertThat(client.get("/").status()).isEqualTo(200);
            assertThat(rung(gateway)).isEqualTo(Rung.NORMAL);
            assertProblem(client.get("/"), 429, ErrorKind.RATE_LIMITED);
            assertThat(ladder(gateway).reached(Rung.LIMIT)).isOne();
            eventually(() -> assertThat(rung(gateway)).isEqualTo(Rung.NORMAL));
        }
    }

    @Test
    void withoutTheSectionEachRequestUsesAllPlacesAndNoneIsCounted() throws Exception {
        Setup setup = setup(2).resilience(priority(0, FAIL_FAST));
        try (Running gateway = setup.start();
                RawClient client = gateway.client()) {
            occupy(gateway, "/", 2);
            assertProblem(client.get("/"), 503, ErrorKind.BULKHEAD_FULL);
            assertThat(gateway.nextOutcome().shed()).isEqualTo(-1);
            assertThat(gateway.gateway().generation().overload()).isNull();
        }
    }
}
