package dev.lychgate.discovery;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.config.EndpointReadiness;
import dev.lychgate.discovery.RemovalLimit.Limited;
import dev.lychgate.upstream.FoundEndpoint;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The number of endpoints that stay in use when a source reports fewer. */
class RemovalLimitTest {
    private static final long PERIOD = 60;

    private final RemovalLimit limit = new RemovalLimit(0.5, PERIOD);
    private List<FoundEndpoint> used = List.of();

    /** Returns ready endpoints with consecutive ports. */
    private static List<FoundEndpoint> endpoints(int first, int last) {
        return IntStream.rangeClosed(first, last)
                .mapToObj(port -> FoundEndpoint.of("10.0.0.1", port))
                .toList();
    }

    private static FoundEndpoint draining(int port) {
        return FoundEndpoint.of("10.0.0.1", port, 1, "", 0, EndpointReadiness.DRAINING, Map.of());
    }

    private Limited report(long now, List<FoundEndpoint> reported) {
        return report(now, reported, Set.of());
    }

    private Limited report(long now, List<FoundEndpoint> reported, Set<Integer> unhealthy) {
        Limited limited = limit.apply(used, reported, each -> !unhealthy.contains(each.port()), now);
        used = limited.endpoints();
        return limited;
    }

    @ParameterizedTest
    @CsvSource({"1, 1, 1", "2, 1, 1", "3, 1, 2", "10, 9, 9", "10, 5, 5", "10, 4, 5", "10, 1, 5", "100, 10, 50"})
    void limitsTheReductionToItsShare(int before, int reported, int after) {
        report(0, endpoints(1, before));

        Limited limited = report(1, endpoints(1, reported));

        assertThat(limited.endpoints())
                .hasSize(after)
                .startsWith(endpoints(1, reported).toArray(FoundEndpoint[]::new));
        assertThat(limited.retained()).isEqualTo(after - reported);
    }

    @Test
    void permitsTheReplacementOfAllEndpoints() {
        report(0, endpoints(1, 10));

        assertThat(report(1, endpoints(11, 20))).isEqualTo(new Limited(endpoints(11, 20), 0, Long.MAX_VALUE));
    }

    @Test
    void permitsTheRemovalOfUnhealthyEndpoints() {
        report(0, endpoints(1, 10));

        assertThat(report(1, endpoints(1, 2), Set.of(3, 4, 5, 6, 7, 8, 9, 10)).endpoints())
                .isEqualTo(endpoints(1, 2));
    }

    @Test
    void followsALastingReductionStepByStep() {
        report(0, endpoints(1, 100));

        assertThat(report(0, endpoints(1, 10)).again()).isEqualTo(PERIOD);
        assertThat(report(PERIOD - 1, endpoints(1, 10)).endpoints()).hasSize(50);
        assertThat(report(PERIOD, endpoints(1, 10)).endpoints()).hasSize(25);
        assertThat(report(2 * PERIOD, endpoints(1, 10)).endpoints()).hasSize(13);
        assertThat(report(3 * PERIOD, endpoints(1, 10))).isEqualTo(new Limited(endpoints(1, 10), 0, Long.MAX_VALUE));
    }

    @Test
    void limitsSmallReductionsOfOnePeriodTogether() {
        report(0, endpoints(1, 10));
        for (int now = 1; now < 10; now++) {
            report(now, endpoints(1, 10 - now));
        }

        assertThat(used).hasSize(5);
    }

    @Test
    void endsTheRetentionWhenTheEndpointsReturn() {
        report(0, endpoints(1, 10));
        report(1, endpoints(1, 1));

        assertThat(report(2, endpoints(1, 10)).retained()).isZero();
    }

    @Test
    void keepsEndpointsReadyThatWouldDrainBeyondTheLimit() {
        report(0, endpoints(1, 3));

        Limited limited = report(1, List.of(FoundEndpoint.of("10.0.0.1", 1), draining(2), draining(3)));

        assertThat(limited.endpoints())
                .containsExactlyInAnyOrder(
                        FoundEndpoint.of("10.0.0.1", 1), FoundEndpoint.of("10.0.0.1", 2), draining(3));
    }
}
