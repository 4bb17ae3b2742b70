package dev.lychgate.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.config.BalanceConfig;
import dev.lychgate.config.Percent;
import dev.lychgate.upstream.EndpointState.AdminState;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The shares of endpoints by their states. Shares in percent, in the order of the endpoints. */
class ArrangementTest {
    private static Fleet twoPriorities() {
        Fleet fleet = Fleet.of(4);
        for (int i = 0; i < 4; i++) {
            fleet.add(1, "", 1, Map.of());
        }
        return fleet;
    }

    @Test
    void sharesGoByWeight() {
        assertThat(Fleet.weights(5, 3, 2).percent()).containsExactly(50, 30, 20);
    }

    @Test
    void unhealthyAndEjectedEndpointsGetNoTraffic() {
        Fleet fleet = Fleet.of(4).fail(0);
        fleet.state().eject(Fleet.addressOf(1), fleet.now() + 1000);

        assertThat(fleet.percent()).containsExactly(0, 0, 50, 50);
    }

    @Test
    void endpointsThatDrainAtTheirSourceGetNoTrafficFromAnyClient() {
        Fleet fleet = Fleet.of(4).drainAtSource(0).fail(1, 2, 3);

        assertThat(fleet.percent()).containsExactly(0, 33, 33, 33);
        assertThat(fleet.set().isPanic()).isTrue();
        assertThat(fleet.set().admits(fleet.endpoint(0))).isFalse();
        assertThat(fleet.set().reserve()).isEmpty();
    }

    @Test
    void anEjectionEndsByItself() {
        Fleet fleet = Fleet.of(2);
        fleet.state()
                .eject(Fleet.addressOf(1), fleet.now() + Duration.ofSeconds(30).toNanos());
        assertThat(fleet.pass(Duration.ofSeconds(29)).percent()).containsExactly(100, 0);
        assertThat(fleet.pass(Duration.ofSeconds(1)).percent()).containsExactly(50, 50);
    }

    @Test
    void anEjectionCanBeEnded() {
        Fleet fleet = Fleet.of(2);
        fleet.state().eject(Fleet.addressOf(1), fleet.now() + 1000);
        fleet.readmit(1);
        assertThat(fleet.percent()).containsExactly(50, 50);
    }

    @Test
    void theNextPriorityServesTheExcessOfTheFirst() {
        Fleet fleet = twoPriorities();
        assertThat(fleet.percent()).containsExactly(25, 25, 25, 25, 0, 0, 0, 0);
        assertThat(fleet.fail(0).percent()).containsExactly(0, 33, 33, 33, 0, 0, 0, 0);
        assertThat(fleet.fail(1).percent()).containsExactly(0, 0, 36, 36, 7, 7, 7, 7);
        assertThat(fleet.fail(2, 3).percent()).containsExactly(0, 0, 0, 0, 25, 25, 25, 25);
        assertThat(fleet.set().isPanic()).isFalse();
    }

    @Test
    void endpointsWithoutAShareAreTheReserve() {
        Fleet fleet = twoPriorities();
        assertThat(fleet.set().reserve())
                .containsExactlyElementsOf(fleet.upstream().endpoints().subList(4, 8));
    }

    @Test
    void theOwnZoneIsPreferredAndSpillsToAllOthers() {
        Fleet fleet = Fleet.weights()
                .add(1, "a", 0, Map.of())
                .add(1, "a", 0, Map.of())
                .add(1, "b", 0, Map.of())
                .add(3, "c", 0, Map.of())
                .balance(BalanceConfig.DEFAULT.in("a"));
        assertThat(fleet.percent()).containsExactly(50, 50, 0, 0);
        assertThat(fleet.fail(0).percent()).containsExactly(0, 71, 7, 21);
        assertThat(fleet.fail(1).percent()).containsExactly(0, 0, 25, 75);
    }

    @Test
    void aGatewayWithoutAZonePrefersNone() {
        Fleet fleet = Fleet.weights().add(1, "a", 0, Map.of()).add(1, "b", 0, Map.of());
        assertThat(fleet.percent()).containsExactly(50, 50);
        assertThat(fleet.balance(BalanceConfig.DEFAULT.in("elsewhere")).percent())
                .containsExactly(50, 50);
    }

    @Test
    void fewSurvivorsServeUntilTheyAreTooFew() {
        Fleet fleet = Fleet.of(5).fail(0, 1, 2, 3);
        assertThat(fleet.percent()).containsExactly(0, 0, 0, 0, 100);
        assertThat(fleet.set().isPanic()).isFalse();

        fleet.balance(BalanceConfig.DEFAULT.withThresholds(new Percent(70), new Percent(50)));
        assertThat(fleet.percent()).containsExactly(20, 20, 20, 20, 20);
        assertThat(fleet.set().isPanic()).isTrue();
    }

    @Test
    void allEndpointsAreTriedIfAllAreUnhealthy() {
        Fleet fleet = Fleet.of(2).fail(0, 1);
        assertThat(fleet.percent()).containsExactly(50, 50);
        assertThat(fleet.set().isPanic()).isTrue();
    }

    @Test
    void unhealthyEndpointsAreNotTriedWithoutPanic() {
        Fleet fleet = Fleet.of(2)
                .balance(BalanceConfig.DEFAULT.withThresholds(new Percent(70), new Percent(0)))
                .fail(0, 1);
        assertThat(fleet.set().size()).isZero();
    }

    @Test
    void aDisabledEndpointDoesNotCountAsLostCapacity() {
        Fleet fleet = twoPriorities().admin(0, AdminState.DISABLED).admin(1, AdminState.DRAINING);
        // Two of two are healthy, not two of four: nothing spills.
        assertThat(fleet.percent()).containsExactly(0, 0, 50, 50, 0, 0, 0, 0);
    }

    @Test
    void panicDoesNotUseDisabledEndpoints() {
        Fleet fleet = Fleet.of(3).admin(0, AdminState.DISABLED).fail(1, 2);
        assertThat(fleet.percent()).containsExactly(0, 50, 50);
    }

    @Test
    void boundClientsMayStayWhileTheirEndpointDrains() {
        Fleet fleet = Fleet.of(3).admin(0, AdminState.DRAINING).admin(1, AdminState.DISABLED);
        assertThat(fleet.set().admits(fleet.endpoint(0))).isTrue();
        assertThat(fleet.set().admits(fleet.endpoint(1))).isFalse();
        assertThat(fleet.set().admits(fleet.endpoint(2))).isTrue();
    }

    @Test
    void theOperatorsWeightOverridesTheConfiguredOne() {
        Fleet fleet = Fleet.of(2);
        fleet.state().weight(Fleet.addressOf(0), 3);
        assertThat(fleet.percent()).containsExactly(75, 25);
        fleet.state().weight(Fleet.addressOf(0), 0);
        assertThat(fleet.percent()).containsExactly(50, 50);
    }

    @Test
    void aReturningEndpointStartsSlowly() {
        Fleet fleet = Fleet.of(2)
                .balance(BalanceConfig.DEFAULT.withSlowStart(Duration.ofSeconds(20)))
                .fail(1)
                .recover(1);
        assertThat(fleet.percent()).containsExactly(91, 9);
        assertThat(fleet.pass(Duration.ofSeconds(10)).percent()).containsExactly(67, 33);
        assertThat(fleet.pass(Duration.ofSeconds(10)).percent()).containsExactly(50, 50);
    }

    @Test
    void aLaterEndpointStartsSlowlyAndAnInitialOneDoesNot() {
        Fleet fleet = Fleet.of(1)
                .balance(BalanceConfig.DEFAULT.withSlowStart(Duration.ofSeconds(20)))
                .takeOver();
        assertThat(fleet.percent()).containsExactly(100);
        fleet.pass(Duration.ofMinutes(1)).add(1, "", 0, Map.of()).takeOver();
        assertThat(fleet.percent()).containsExactly(91, 9);
    }

    @Test
    void aSlowStartDoesNotSpillTrafficAway() {
        Fleet fleet = twoPriorities().balance(BalanceConfig.DEFAULT.withSlowStart(Duration.ofSeconds(20)));
        fleet.fail(0, 1, 2, 3).recover(0).recover(1).recover(2).recover(3);
        assertThat(fleet.percent()).containsExactly(25, 25, 25, 25, 0, 0, 0, 0);
    }

    @Test
    void aSetStaysTheSameObjectUntilSomethingChanges() {
        Fleet fleet = Fleet.of(2);
        EndpointSet before = fleet.set();
        assertThat(fleet.pass(Duration.ofDays(1)).set()).isSameAs(before);
        fleet.recover(0);
        assertThat(fleet.set()).isNotSameAs(before);
    }

    @Test
    void subsetsAreComputedSeparately() {
        Fleet fleet = Fleet.weights()
                .add(1, "", 0, Map.of("version", "v1"))
                .add(1, "", 0, Map.of("version", "v2", "tier", "gold"))
                .add(1, "", 0, Map.of("version", "v2"));
        Subset second = fleet.upstream().subset(Map.of("version", "v2"));
        assertThat(second.current(fleet.now()).share(fleet.endpoint(0))).isZero();
        assertThat(second.current(fleet.now()).share(fleet.endpoint(1))).isEqualTo(0.5);
        fleet.fail(1);
        assertThat(second.current(fleet.now()).share(fleet.endpoint(2))).isEqualTo(1);
        assertThat(fleet.upstream().subset(Map.of("version", "v2"))).isSameAs(second);
    }
}
