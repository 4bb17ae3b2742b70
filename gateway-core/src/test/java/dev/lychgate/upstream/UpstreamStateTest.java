package dev.lychgate.upstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lychgate.config.AddressFamily;
import dev.lychgate.config.DnsConfig;
import dev.lychgate.config.EndpointConfig;
import dev.lychgate.config.UpstreamConfig;
import dev.lychgate.upstream.EndpointState.AdminState;
import dev.lychgate.upstream.EndpointState.Health;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The state of upstreams that survives a generation. */
class UpstreamStateTest {
    @Test
    void theNextGenerationKeepsTheState() {
        Fleet fleet = Fleet.of(2).takeOver().fail(0);
        fleet.add(1, "", 0, Map.of()).takeOver();
        assertThat(fleet.state().of(Fleet.addressOf(0)).health()).isEqualTo(Health.UNHEALTHY);
        assertThat(fleet.percent()).containsExactly(0, 50, 50);
    }

    @Test
    void removesTheStateOfUnconfiguredEndpoints() {
        Fleet fleet = Fleet.of(2).takeOver().admin(1, AdminState.DISABLED).removeLast();
        fleet.add(1, "", 0, Map.of()).takeOver();
        assertThat(fleet.state().of(Fleet.addressOf(1)).admin()).isEqualTo(AdminState.ENABLED);
    }

    @Test
    void aGenerationThatNeverTookEffectRemovesNoState() {
        UpstreamStates states = new UpstreamStates(() -> 0, 1);
        UpstreamState state = states.of("api");
        state.health(Fleet.addressOf(0), Health.UNHEALTHY);
        assertThat(states.of("api")).isSameAs(state);
        assertThat(states.of("api").of(Fleet.addressOf(0)).health()).isEqualTo(Health.UNHEALTHY);
        states.keep(List.of());
        assertThat(states.of("api")).isNotSameAs(state);
    }

    @Test
    void resultsOfDnsReachOnlyLookupsWithTheSameSettings() {
        UpstreamState state = new UpstreamState(() -> 0, 1);
        state.answered(asking(1), List.of("10.0.0.1"));
        state.answered(asking(2), List.of("10.0.0.2"));
        assertThat(hosts(state, 1)).containsExactly("10.0.0.1");
        assertThat(hosts(state, 2)).containsExactly("10.0.0.2");
        state.forget(asking(2));
        assertThat(hosts(state, 1)).containsExactly("10.0.0.1");
        assertThat(hosts(state, 2)).containsExactly("api.test");
    }

    @Test
    void aLookupWithNewSettingsUsesTheOldResultUntilItsOwn() {
        UpstreamState state = new UpstreamState(() -> 0, 1);
        state.lend(asking(2));
        assertThat(hosts(state, 2)).containsExactly("api.test");
        state.answered(asking(1), List.of("10.0.0.1"));
        state.lend(asking(2));
        state.forget(asking(1));
        assertThat(hosts(state, 2)).containsExactly("10.0.0.1");
        state.answered(asking(2), List.of("10.0.0.2"));
        state.answered(asking(1), List.of("10.0.0.1"));
        state.lend(asking(2));
        assertThat(hosts(state, 2)).containsExactly("10.0.0.2");
    }

    @Test
    void otherEndpointsOfTheSameUpstreamsForgetNoUpstreamThatIsInTheMaking() {
        UpstreamStates states = new UpstreamStates(() -> 0, 1);
        UpstreamState made = states.of("made");
        states.keepEndpoints(List.of(Fleet.of(1).upstream()));
        assertThat(states.of("made")).isSameAs(made);
    }

    /** One name, with the settings of a numbered lookup. */
    private static DnsQuestion asking(int way) {
        return new DnsQuestion(DnsQuestion.Kind.HOST, "api.test", dns(way));
    }

    private static List<String> hosts(UpstreamState state, int way) {
        UpstreamConfig config =
                UpstreamConfig.of("api", new EndpointConfig("api.test", 80)).withDns(dns(way));
        return state.resolve(config).endpoints().stream()
                .map(e -> e.address().host())
                .toList();
    }

    private static DnsConfig dns(int way) {
        return new DnsConfig(
                List.of(), AddressFamily.EITHER, Duration.ofSeconds(1), Duration.ofSeconds(9), Duration.ofSeconds(way));
    }

    @Test
    void repeatedReportsChangeNothing() {
        Fleet fleet = Fleet.of(2).fail(0);
        var before = fleet.state().snapshot();
        fleet.fail(0);
        assertThat(fleet.state().snapshot()).isSameAs(before);
    }

    @Test
    void anImpossibleWeightIsRefused() {
        assertThatThrownBy(() -> Fleet.of(1).state().weight(Fleet.addressOf(0), 1001))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void concurrentChangesAreNotLost() throws Exception {
        UpstreamState state = new UpstreamState(() -> 0, 1);
        int threads = 8;
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        CountDownLatch start = new CountDownLatch(1);
        for (int t = 0; t < threads; t++) {
            int first = t * 100;
            pool.submit(() -> {
                start.await();
                for (int i = first; i < first + 100; i++) {
                    state.weight(Fleet.addressOf(i), 7);
                }
                return null;
            });
        }
        start.countDown();
        pool.shutdown();
        assertThat(pool.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
        assertThat(state.snapshot())
                .hasSize(800)
                .allSatisfy((a, s) -> assertThat(s.weight()).isEqualTo(7));
    }
}
