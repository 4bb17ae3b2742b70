package dev.lychgate.upstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The shift of traffic to the next group as a group becomes unhealthy. */
class SpillOverTest {
    @ParameterizedTest(name = "{0} of 10 left in the first group: {1} %")
    @CsvSource({"10, 100", "8, 100", "7, 100", "6, 86", "5, 71", "3, 43", "1, 14", "0, 0"})
    void theFirstGroupKeepsAllDownToTheThresholdAndThenLosesInProportion(double left, double percent) {
        SpillOver split = SpillOver.of(new double[] {10, 10}, new double[] {left, 10}, 0.7, 0.1);

        assertThat(100 * split.share(0)).isEqualTo(percent, within(0.5));
        assertThat(split.share(0) + split.share(1)).isEqualTo(1, within(1e-9));
        assertThat(split.isPanic(0)).isFalse();
    }

    @Test
    void trafficBeyondTheSecondGroupGoesToTheThird() {
        SpillOver split = SpillOver.of(new double[] {10, 10, 10}, new double[] {3.5, 2.1, 10}, 0.7, 0.1);

        assertThat(split.share(0)).isEqualTo(0.5, within(1e-9));
        assertThat(split.share(1)).isEqualTo(0.3, within(1e-9));
        assertThat(split.share(2)).isEqualTo(0.2, within(1e-9));
    }

    @Test
    void allGroupsGetMoreInProportionIfTheirCapacityIsTooSmall() {
        SpillOver split = SpillOver.of(new double[] {10, 10}, new double[] {2.8, 1.4}, 0.7, 0.1);

        assertThat(split.share(0)).isEqualTo(2.0 / 3, within(1e-9));
        assertThat(split.share(1)).isEqualTo(1.0 / 3, within(1e-9));
        assertThat(split.isPanic(0)).isFalse();
    }

    @Test
    void aGroupPanicsOnlyIfNoOtherCanServeItsTraffic() {
        assertThat(SpillOver.of(new double[] {20, 10}, new double[] {1, 10}, 0.7, 0.1)
                        .isPanic(0))
                .isFalse();
        assertThat(SpillOver.of(new double[] {20}, new double[] {1}, 0.7, 0.1).isPanic(0))
                .isTrue();
    }

    @Test
    void usesAllEndpointsIfNoneIsUsable() {
        SpillOver split = SpillOver.of(new double[] {1, 3}, new double[] {0, 0}, 0.7, 0.1);

        assertThat(split.share(0)).isEqualTo(0.25, within(1e-9));
        assertThat(split.share(1)).isEqualTo(0.75, within(1e-9));
        assertThat(split.isPanic(0) && split.isPanic(1)).isTrue();
    }

    @Test
    void usesNoEndpointWithoutPanic() {
        SpillOver split = SpillOver.of(new double[] {1, 3}, new double[] {0, 0}, 0.7, 0);

        assertThat(split.share(0) + split.share(1)).isZero();
        assertThat(split.isPanic(0) || split.isPanic(1)).isFalse();
    }

    @Test
    void aGroupWithoutEnabledEndpointsIsSkipped() {
        SpillOver split = SpillOver.of(new double[] {0, 5}, new double[] {0, 5}, 0.7, 0.1);

        assertThat(split.share(0)).isZero();
        assertThat(split.share(1)).isEqualTo(1);
    }
}
