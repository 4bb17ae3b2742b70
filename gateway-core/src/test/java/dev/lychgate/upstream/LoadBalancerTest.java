package dev.lychgate.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.config.Algorithm;
import dev.lychgate.config.BalanceConfig;
import dev.lychgate.config.HashSource;
import dev.lychgate.config.Percent;
import dev.lychgate.upstream.EndpointState.AdminState;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The contract of every algorithm. */
@Tag("slow")
class LoadBalancerTest {
    static Stream<BalanceConfig> everyAlgorithm() {
        return Stream.concat(
                Stream.of(Algorithm.values())
                        .map(a -> a == Algorithm.CONSISTENT_HASH
                                ? BalanceConfig.hashing(new HashSource.ClientIp())
                                : BalanceConfig.of(a)),
                Stream.of(BalanceConfig.hashing(new HashSource.ClientIp()).withLoadBound(new Percent(125))));
    }

    @ParameterizedTest
    @MethodSource("everyAlgorithm")
    void anotherEndpointIsPreferredUntilThereIsNone(BalanceConfig config) {
        Fleet fleet = Fleet.weights(50, 3, 1).balance(config);
        LoadBalancer balancer = fleet.balancer(1);
        for (int i = 0; i < 200; i++) {
            Some exchange = Some.client(i);
            Endpoint first = Some.request(balancer, exchange);
            Endpoint second = Some.request(balancer, exchange.tries(first));
            Endpoint third = Some.request(balancer, exchange.tries(second));
            assertThat(Stream.of(first, second, third).distinct()).hasSize(3);
            assertThat(balancer.choose(exchange.tries(third))).isNotNull();
        }
    }

    @ParameterizedTest
    @MethodSource("everyAlgorithm")
    void theReservePrecedesARetryAtTheSameEndpoint(BalanceConfig config) {
        Fleet fleet = Fleet.of(1).add(1, "", 1, Map.of()).balance(config);
        LoadBalancer balancer = fleet.balancer(1);
        assertThat(balancer.choose(Some.client(1))).isSameAs(fleet.endpoint(0));
        assertThat(balancer.choose(Some.client(1).tries(fleet.endpoint(0)))).isSameAs(fleet.endpoint(1));
        assertThat(balancer.choose(Some.client(1).tries(fleet.endpoint(0)).tries(fleet.endpoint(1))))
                .isSameAs(fleet.endpoint(0));
    }

    @ParameterizedTest
    @MethodSource("everyAlgorithm")
    void anEndpointIsChosenIfOneIsUsable(BalanceConfig config) {
        BalanceConfig strict = config.withThresholds(new Percent(70), new Percent(0))
                .withSlowStart(Duration.ofSeconds(5))
                .in("a");
        Fleet fleet = Fleet.weights().balance(strict);
        for (int i = 0; i < 12; i++) {
            fleet.add(1 + i % 3, i % 2 == 0 ? "a" : "b", i % 4, Map.of());
        }
        fleet.takeOver();
        LoopBalancers loop = fleet.loop(0, 3);
        SplittableRandom random = new SplittableRandom(4);
        for (int i = 0; i < 6_000; i++) {
            if (i == 3_000) {
                fleet.removeLast();
                loop.adopt(List.of(fleet.upstream()));
            }
            disturb(fleet, random, random.nextInt(fleet.upstream().endpoints().size()));
            Endpoint chosen = loop.of(fleet.upstream().whole()).choose(Some.client(i));
            boolean some = fleet.upstream().endpoints().stream().anyMatch(e -> isUsable(fleet, e));
            assertThat(chosen != null).isEqualTo(some);
            assertThat(chosen == null || isUsable(fleet, chosen)).isTrue();
            if (chosen != null && random.nextInt(4) > 0) {
                loop.load(chosen).begin();
                loop.load(chosen).end(random.nextInt(1_000_000), EndpointLoad.End.ANSWERED, fleet.now());
            }
        }
    }

    private static void disturb(Fleet fleet, SplittableRandom random, int number) {
        fleet.pass(Duration.ofMillis(random.nextInt(500)));
        switch (random.nextInt(8)) {
            case 0, 1 -> fleet.fail(number);
            case 2 -> fleet.recover(number);
            case 3 -> fleet.state().eject(Fleet.addressOf(number), fleet.now() + random.nextLong(2_000_000_000L));
            case 4 -> fleet.admin(number, random.nextBoolean() ? AdminState.DRAINING : AdminState.DISABLED);
            case 5 -> fleet.admin(number, AdminState.ENABLED);
            case 6 -> fleet.state().weight(Fleet.addressOf(number), random.nextInt(5));
            default -> fleet.readmit(number);
        }
    }

    private static boolean isUsable(Fleet fleet, Endpoint endpoint) {
        EndpointState state = fleet.state().of(endpoint.address());
        return state.admin() == AdminState.ENABLED && state.isHealthy(fleet.now());
    }

    @Test
    void boundClientsGetTheirEndpointWhileItIsUsable() {
        Fleet fleet = Fleet.of(5).admin(3, AdminState.DRAINING);
        LoadBalancer balancer = fleet.balancer(1);
        for (int i = 0; i < 100; i++) {
            assertThat(balancer.choose(Some.client(i))).isNotSameAs(fleet.endpoint(3));
            assertThat(balancer.choose(Some.client(i).prefers(fleet.endpoint(3))))
                    .isSameAs(fleet.endpoint(3));
            assertThat(balancer.choose(Some.client(i).prefers(fleet.endpoint(3)).tries(fleet.endpoint(3))))
                    .isNotSameAs(fleet.endpoint(3));
        }
        fleet.admin(3, AdminState.DISABLED);
        assertThat(balancer.choose(Some.client(1).prefers(fleet.endpoint(3)))).isNotSameAs(fleet.endpoint(3));
    }

    @Test
    void theNextGenerationCountsRunningRequests() {
        Fleet fleet = Fleet.of(3).takeOver();
        LoopBalancers loop = fleet.loop(0, 5);
        loop.load(fleet.endpoint(0)).begin();
        loop.load(fleet.endpoint(2)).begin();
        EndpointLoad removed = loop.load(fleet.endpoint(2));
        fleet.removeLast();
        loop.adopt(List.of(fleet.upstream()));
        assertThat(loop.load(fleet.endpoint(0)).outstanding()).isEqualTo(1);
        assertThat(loop.of(fleet.upstream().whole()).choose(Some.client(1))).isSameAs(fleet.endpoint(1));
        removed.end(1, EndpointLoad.End.ANSWERED, 1);
        assertThat(removed.outstanding()).isZero();
    }
}
