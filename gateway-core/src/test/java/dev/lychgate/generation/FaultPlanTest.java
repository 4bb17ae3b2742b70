package dev.lychgate.generation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.config.FaultConfig;
import dev.lychgate.config.FaultEffects;
import dev.lychgate.config.FaultScope;
import dev.lychgate.config.FaultsConfig;
import dev.lychgate.config.MatchConfig;
import dev.lychgate.config.RouteConfig;
import dev.lychgate.config.SampleRate;
import dev.lychgate.config.Stickiness;
import dev.lychgate.http.RequestHead;
import dev.lychgate.route.Ingress;
import dev.lychgate.route.Route;
import dev.lychgate.route.RouteTable;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import java.net.InetAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** The selection of requests for a fault, with a seeded source of random numbers and a clock of the test. */
class FaultPlanTest {
    private static final int REQUESTS = 100_000;

    private final SplittableRandom random = new SplittableRandom(20261126);
    private final Ingress ingress = new Ingress.Known(InetAddress.getLoopbackAddress(), "main", false);
    private final Route api =
            Objects.requireNonNull(RouteTable.build(List.of(RouteConfig.proxy("api", MatchConfig.ANY, "origin")))
                    .routes()
                    .get(0));
    private Instant now = Instant.parse("2026-12-01T12:00:00Z");

    private FaultConfig fault(String name, String share, Stickiness by, String... routes) {
        return new FaultConfig(
                name,
                new FaultScope(MatchConfig.ANY, List.of(routes), SampleRate.parse(share), by),
                new FaultEffects(null, 503, null, false, null),
                now.plus(Duration.ofMinutes(10)));
    }

    private FaultPlan plan(FaultConfig... rules) {
        return plan(new FaultBoard(() -> now), rules);
    }

    /** The plan of a generation in force. */
    private static FaultPlan plan(FaultBoard board, FaultConfig... rules) {
        FaultPlan plan = Objects.requireNonNull(FaultPlan.of(new FaultsConfig(true, List.of(rules)), board));
        board.adopt(plan.configured());
        return plan;
    }

    @Test
    void allRulesShareOneBudgetForRegularExpressions() {
        List<FaultConfig> rules = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            String large = "regex:a{900}b{900}";
            Map<String, String> headers = Map.of("x-a", large, "x-b", large, "x-c", large);
            MatchConfig match = new MatchConfig(List.of(), null, List.of(), headers, Map.of(), List.of(), null);
            rules.add(new FaultConfig(
                    "f" + i,
                    new FaultScope(match, List.of(), SampleRate.ALL, new Stickiness.Request()),
                    new FaultEffects(null, 503, null, false, null),
                    now.plus(Duration.ofMinutes(10))));
        }
        assertThat(FaultPlan.refusals(new FaultsConfig(true, rules.subList(0, 2))))
                .isEmpty();
        assertThat(FaultPlan.refusals(new FaultsConfig(true, rules)))
                .isNotEmpty()
                .allSatisfy(refused -> assertThat(refused).hasMessageContaining("the expressions of faults.rules"));
    }

    private static RequestHead request(String user) {
        DefaultHttpHeaders headers = new DefaultHttpHeaders();
        headers.add("host", "a").add("x-user", user);
        return new RequestHead(HttpMethod.GET, false, "/", null, "a", headers);
    }

    private boolean isHit(FaultPlan plan, String user) {
        return !plan.hits(api, request(user), ingress, random).isEmpty();
    }

    @Test
    void aShareOfRequestsIsHitAtRandom() {
        FaultPlan plan = plan(fault("f", "10%", new Stickiness.Request()));
        int hits = 0;
        for (int i = 0; i < REQUESTS; i++) {
            hits += isHit(plan, "same") ? 1 : 0;
        }
        // Five standard deviations.
        assertThat(hits).isBetween(9_525, 10_475);
    }

    @Test
    void aShareByHeaderHitsAlwaysTheSameValues() {
        FaultPlan plan = plan(fault("f", "10%", new Stickiness.Header("x-user")));
        int hits = 0;
        for (int i = 0; i < 10_000; i++) {
            boolean hit = isHit(plan, "user-" + i);
            assertThat(isHit(plan, "user-" + i)).isEqualTo(hit);
            hits += hit ? 1 : 0;
        }
        assertThat(hits).isBetween(850, 1_150);
    }

    @Test
    void everyFaultDecidesIndependently() {
        FaultPlan plan =
                plan(fault("first", "50%", new Stickiness.Request()), fault("second", "50%", new Stickiness.Request()));
        int both = 0;
        for (int i = 0; i < REQUESTS; i++) {
            both += plan.hits(api, request("x"), ingress, random).size() == 2 ? 1 : 0;
        }
        assertThat(both).isBetween(24_300, 25_700);
    }

    @Test
    void anExpiredFaultHitsNothing() {
        FaultPlan plan = plan(fault("f", "100%", new Stickiness.Request()));
        assertThat(isHit(plan, "a")).isTrue();
        assertThat(plan.active(now)).hasSize(1);

        now = now.plus(Duration.ofMinutes(10));

        assertThat(isHit(plan, "a")).isFalse();
        assertThat(plan.active(now)).isEmpty();
    }

    @Test
    void aFaultOfOtherRoutesHitsNothing() {
        assertThat(isHit(plan(fault("f", "100%", new Stickiness.Request(), "web")), "a"))
                .isFalse();
        assertThat(isHit(plan(fault("f", "100%", new Stickiness.Request(), "web", "api")), "a"))
                .isTrue();
    }

    @Test
    void aStoppedFaultOfTheConfigurationHitsNothingUntilItsSettingsChange() {
        FaultBoard board = new FaultBoard(() -> now);
        FaultConfig fault = fault("f", "100%", new Stickiness.Request());
        FaultPlan plan = plan(board, fault);

        assertThat(board.stop(plan.configured().get(0))).isTrue();

        assertThat(isHit(plan, "a")).isFalse();
        assertThat(isHit(plan(board, fault), "a")).isFalse();
        assertThat(board.stop(plan.configured().get(0))).isFalse();
        assertThat(isHit(plan(board, fault("f", "99.9%", new Stickiness.Header("x-user"))), "a"))
                .isTrue();
    }

    @Test
    void aFaultThatAReloadRemovesNoLongerHitsRequestsOfEarlierGenerations() {
        FaultBoard board = new FaultBoard(() -> now);
        FaultPlan before = plan(board, fault("f", "100%", new Stickiness.Request()));
        assertThat(isHit(before, "a")).isTrue();

        plan(board);

        assertThat(isHit(before, "a")).isFalse();
    }

    @Test
    void withoutPermissionThereIsNoPlan() {
        assertThat(FaultPlan.of(FaultsConfig.OFF, new FaultBoard(() -> now))).isNull();
    }
}
