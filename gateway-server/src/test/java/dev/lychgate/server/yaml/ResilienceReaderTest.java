package dev.lychgate.server.yaml;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.config.BreakerConfig;
import dev.lychgate.config.BulkheadConfig;
import dev.lychgate.config.ByteSize;
import dev.lychgate.config.GatewayConfig;
import dev.lychgate.config.LimitConfig;
import dev.lychgate.config.LimitKey;
import dev.lychgate.config.OnFailure;
import dev.lychgate.config.OverloadConfig;
import dev.lychgate.config.OverloadPageConfig;
import dev.lychgate.config.OverloadStaleConfig;
import dev.lychgate.config.Percent;
import dev.lychgate.config.PriorityConfig;
import dev.lychgate.config.RetryBudgetConfig;
import dev.lychgate.config.RetryConfig;
import dev.lychgate.config.RouteResilience;
import dev.lychgate.config.UpstreamResilience;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The records have the values of the file for retries, breakers, bulkheads, limits and overload. */
class ResilienceReaderTest {
    private static GatewayConfig read(String route, String upstream, String top) throws FaultyConfigException {
        String yaml = "{ listeners: [{ name: a, address: 'localhost:1' }], routes: [{ id: r, upstream: u, " + route
                + " }], upstreams: { u: { endpoints: ['http://o'], " + upstream + " } }, " + top + " }";
        return new ConfigReader(name -> null).read("test.yml", yaml).config();
    }

    private static RouteResilience route(String text) throws FaultyConfigException {
        return read(text, "", "").routes().get(0).resilience();
    }

    private static UpstreamResilience upstream(String text) throws FaultyConfigException {
        return requireNonNull(read("", text, "").upstreams().get("u")).resilience();
    }

    @Test
    void nothingIsProtectedByDefault() throws FaultyConfigException {
        assertThat(route("")).isEqualTo(RouteResilience.DEFAULT);
        assertThat(upstream("")).isEqualTo(UpstreamResilience.DEFAULT);
        assertThat(read("", "", "").overload()).isNull();
    }

    @Test
    void anEmptySectionMeansItsDefaults() throws FaultyConfigException {
        assertThat(route("retry: {}").retry()).isEqualTo(RetryConfig.DEFAULT);
        assertThat(upstream("breaker: {}").breaker()).isEqualTo(BreakerConfig.DEFAULT);
        assertThat(upstream("limit: {}").limit()).isEqualTo(LimitConfig.DEFAULT);
        assertThat(read("", "", "overload: {}").overload()).isEqualTo(OverloadConfig.DEFAULT);
    }

    @Test
    void everyKeyOfOverloadIsRead() throws FaultyConfigException {
        OverloadConfig all = read(
                        "",
                        "",
                        "overload: { lag: 300ms, direct-memory: 80%, heap: 85%, reserve: 20%, brownout: 2s, hold: 6s, "
                                + "priority: { key: 'header:x-tier', values: { gold: 9, free: 1 } }, "
                                + "stale: { after: 3s, max-stale: 2h, below: 7 }, "
                                + "page: { after: 7s, status: 429, headers: { content-type: text/html }, body: later } }")
                .overload();

        assertThat(all)
                .isEqualTo(new OverloadConfig(
                        Duration.ofMillis(300),
                        new Percent(80),
                        new Percent(85),
                        new Percent(20),
                        new PriorityConfig(LimitKey.parse("header:x-tier"), Map.of("gold", 9, "free", 1)),
                        Duration.ofSeconds(2),
                        new OverloadStaleConfig(Duration.ofSeconds(3), Duration.ofHours(2), 7),
                        new OverloadPageConfig(
                                Duration.ofSeconds(7), 429, Map.of("content-type", "text/html"), "later"),
                        Duration.ofSeconds(6)));
    }

    @Test
    void everyKeyOfARouteIsRead() throws FaultyConfigException {
        RouteResilience all = route("priority: 9, bulkhead: { concurrent: 7 }, retry: { attempts: 4, "
                + "on: [timeout, \"503\"], per-try: 2s, backoff: { base: 1ms, max: 2ms }, retry-after: 3s, "
                + "body: 1KiB, idempotent: true, hedge: { percentile: 95 } }, "
                + "on-failure: { fail-silent: { status: 202 }, status: [500, 503] }");

        assertThat(all)
                .isEqualTo(new RouteResilience(
                        new RetryConfig(
                                4,
                                List.of("timeout", "503"),
                                Duration.ofSeconds(2),
                                new RetryConfig.Backoff(Duration.ofMillis(1), Duration.ofMillis(2)),
                                Duration.ofSeconds(3),
                                ByteSize.ofKiB(1),
                                true,
                                new RetryConfig.Hedge(null, 95)),
                        new BulkheadConfig(7),
                        9,
                        new OnFailure(OnFailure.silent(202), Set.of(500, 503))));
    }

    @Test
    void aFallbackFilterAndTheDeadlineHeaderAreRead() throws FaultyConfigException {
        assertThat(route("on-failure: { filter: sorry, status: [503] }, deadline-header: x-time"))
                .isEqualTo(new RouteResilience(null, null, 5, OnFailure.filter("sorry", Set.of(503)), "x-time"));
    }

    @Test
    void aHedgeAfterAFixedTimeIsRead() throws FaultyConfigException {
        assertThat(requireNonNull(route("retry: { hedge: { delay: 50ms } }").retry())
                        .hedge())
                .isEqualTo(new RetryConfig.Hedge(Duration.ofMillis(50), 0));
    }

    @Test
    void everyKeyOfAnUpstreamIsRead() throws FaultyConfigException {
        UpstreamResilience all = upstream("retry-budget: { share: 10%, minimum: 1 }, breaker: { error-share: 25%, "
                + "window: 20s, minimum: 5, open: 1s, per-endpoint: true }, bulkhead: { concurrent: 3 }, "
                + "limit: { adaptive: vegas, min: 2, max: 4 }");

        assertThat(all)
                .isEqualTo(new UpstreamResilience(
                        new RetryBudgetConfig(new Percent(10), 1),
                        new BreakerConfig(new Percent(25), Duration.ofSeconds(20), 5, Duration.ofSeconds(1), true),
                        new BulkheadConfig(3),
                        new LimitConfig(LimitConfig.Adaptive.VEGAS, 2, 4)));
    }

    @Test
    void valuesOutOfRangeAreRefusedAtTheirPlace() {
        assertThat(
                        FaultsTest.faults(
                                "{ listeners: [{ name: a, address: 'localhost:1' }], routes: [{ id: r, "
                                        + "redirect: { location: / }, retry: { attempts: 0, on: [\"200\"], backoff: { base: 0 } } }] }"))
                .satisfiesExactlyInAnyOrder(
                        fault -> assertThat(fault).contains("routes[0].retry.attempts: 0 (expected: 1 to 10)"),
                        fault -> assertThat(fault).contains("routes[0].retry.on[0]: 200"),
                        fault -> assertThat(fault).contains("routes[0].retry.backoff.base: 0 (expected: > 0)"));
    }
}
