package dev.lychgate.resilience;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.config.BreakerConfig;
import dev.lychgate.config.BulkheadConfig;
import dev.lychgate.config.EndpointConfig;
import dev.lychgate.config.LimitConfig;
import dev.lychgate.config.Percent;
import dev.lychgate.config.RetryBudgetConfig;
import dev.lychgate.config.UpstreamConfig;
import dev.lychgate.config.UpstreamResilience;
import dev.lychgate.error.ErrorKind;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The guards of an upstream across generations. */
class ProtectionTest {
    private static final BreakerConfig PER_ENDPOINT =
            new BreakerConfig(new Percent(50), Duration.ofSeconds(10), 20, Duration.ofSeconds(5), true);

    private static UpstreamConfig upstream(
            @Nullable BreakerConfig breaker, @Nullable BulkheadConfig bulkhead, @Nullable LimitConfig limit) {
        return UpstreamConfig.of("u", EndpointConfig.parse("http://a:1"), EndpointConfig.parse("http://b:1"))
                .withResilience(new UpstreamResilience(RetryBudgetConfig.DEFAULT, breaker, bulkhead, limit));
    }

    private static void fail(Protection protection, String authority, int times) {
        Admission admission = new Admission(null);
        for (int i = 0; i < times; i++) {
            assertThat(admission.enter(protection.guards(0, authority), 0)).isTrue();
            admission.leave(Ending.FAILURE, 0);
        }
    }

    private static @Nullable ErrorKind refusal(Protection protection, String authority) {
        Admission admission = new Admission(null);
        return admission.enter(protection.guards(0, authority), 0) ? null : admission.refusedWith();
    }

    @Test
    void anUpstreamWithoutSettingsHasNoGuards() {
        assertThat(Protection.of(upstream(null, null, null), 2).guards(1, "a:1"))
                .isSameAs(Guards.NONE);
    }

    @Test
    void aForcedCircuitStaysForcedWithOtherSettings() {
        Protection before = Protection.of(upstream(PER_ENDPOINT, null, null), 1);
        before.breakers().forEach((endpoint, breaker) -> {
            if (endpoint.equals("a:1")) {
                breaker.force(CircuitBreaker.Hold.OPEN, 0);
            }
        });
        BreakerConfig other =
                new BreakerConfig(new Percent(70), Duration.ofSeconds(10), 20, Duration.ofSeconds(5), true);

        Protection after = before.next(upstream(other, null, null));

        assertThat(refusal(after, "a:1")).isEqualTo(ErrorKind.CIRCUIT_OPEN);
        assertThat(refusal(after, "b:1")).isNull();
    }

    @Test
    void allEndpointsShareACircuitUnlessConfiguredOtherwise() {
        Protection one = Protection.of(upstream(BreakerConfig.DEFAULT, null, null), 1);
        fail(one, "a:1", 20);
        assertThat(refusal(one, "b:1")).isEqualTo(ErrorKind.CIRCUIT_OPEN);
        assertThat(one.breakers()).containsOnlyKeys("");

        Protection each = Protection.of(upstream(PER_ENDPOINT, null, null), 1);
        fail(each, "a:1", 20);
        assertThat(refusal(each, "a:1")).isEqualTo(ErrorKind.CIRCUIT_OPEN);
        assertThat(refusal(each, "b:1")).isNull();
        assertThat(each.isRefusing("a:1", 0)).isTrue();
        assertThat(each.isRefusing("b:1", 0)).isFalse();
        assertThat(each.breakers()).containsOnlyKeys("a:1", "b:1");
    }

    @Test
    void theCircuitPrecedesTheBulkheadAndTheLimit() {
        Protection all = Protection.of(
                upstream(
                        BreakerConfig.DEFAULT,
                        new BulkheadConfig(25),
                        new LimitConfig(LimitConfig.Adaptive.VEGAS, 30, 30)),
                1);
        Admission[] held = new Admission[25];
        for (int i = 0; i < held.length; i++) {
            held[i] = new Admission(null);
            assertThat(held[i].enter(all.guards(0, "a:1"), 0)).isTrue();
        }
        assertThat(refusal(all, "a:1")).isEqualTo(ErrorKind.BULKHEAD_FULL);

        for (int i = 0; i < 20; i++) {
            held[i].leave(Ending.FAILURE, 0);
        }
        assertThat(refusal(all, "a:1")).isEqualTo(ErrorKind.CIRCUIT_OPEN);
    }

    @Test
    void unchangedGuardsKeepTheirStateInTheNextGeneration() {
        Protection before = Protection.of(upstream(BreakerConfig.DEFAULT, new BulkheadConfig(100), null), 1);
        fail(before, "a:1", 20);
        Protection after = before.next(upstream(BreakerConfig.DEFAULT, new BulkheadConfig(50), LimitConfig.DEFAULT));

        assertThat(refusal(after, "a:1")).isEqualTo(ErrorKind.CIRCUIT_OPEN);
        assertThat(after.tally()).isSameAs(before.tally());
        assertThat(after.budget(0)).isSameAs(before.budget(0));
    }

    @Test
    void changedGuardsStartAnew() {
        Protection before = Protection.of(upstream(BreakerConfig.DEFAULT, null, null), 1);
        fail(before, "a:1", 20);
        Protection after = before.next(upstream(PER_ENDPOINT, null, null));

        assertThat(refusal(after, "a:1")).isNull();
    }
}
