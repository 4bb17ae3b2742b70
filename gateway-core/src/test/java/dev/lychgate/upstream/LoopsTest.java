package dev.lychgate.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.config.Algorithm;
import dev.lychgate.config.BalanceConfig;
import java.util.Arrays;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The cost of counting separately on every loop; the figures of {@code docs/balancing.md}. */
@Tag("slow")
class LoopsTest {
    private static final int[] LOOPS = {1, 2, 8, 64};
    private static final double[] EVEN = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    private static final double[] ONE_SLOW = {5, 1, 1, 1, 1, 1, 1, 1, 1, 1};

    private static double[] figures(
            Algorithm algorithm, double load, double[] slowness, ToDoubleFunction<FleetSimulation> figure) {
        Fleet fleet = Fleet.of(slowness.length).balance(BalanceConfig.of(algorithm));
        return Arrays.stream(LOOPS)
                .mapToDouble(loops -> figure.applyAsDouble(new FleetSimulation(fleet, loops, load, slowness).run()))
                .toArray();
    }

    private static PageTable table(String title, double load, double[] slowness, ToDoubleFunction<FleetSimulation> of) {
        PageTable table = new PageTable("| " + title + " | 1 loop | 2 loops | 8 loops | 64 loops |");
        for (Algorithm algorithm : new Algorithm[] {
            Algorithm.LEAST_REQUESTS, Algorithm.LEAST_RESPONSE_TIME, Algorithm.ROUND_ROBIN, Algorithm.RANDOM
        }) {
            table.row("`" + algorithm.label() + "`", figures(algorithm, load, slowness, of));
        }
        return table;
    }

    @Test
    void measuresTheBusiestOriginAmongEqualOnes() throws Exception {
        table("Busiest origin", 0.8, EVEN, FleetSimulation::busiest).assertOnPage();
    }

    @Test
    void measuresTheSlowestResponsesOfEqualOrigins() throws Exception {
        table("p99 in ms, equal origins", 0.8, EVEN, FleetSimulation::p99).assertOnPage();
    }

    @Test
    void measuresTheSlowestResponsesWithOneSlowOrigin() throws Exception {
        table("p99 in ms, one origin slow", 0.6, ONE_SLOW, FleetSimulation::p99).assertOnPage();
    }

    @Test
    void evenSixtyFourLoopsDoNoWorseThanChance() {
        double[] counted = figures(Algorithm.LEAST_REQUESTS, 0.8, EVEN, FleetSimulation::busiest);
        double[] random = figures(Algorithm.RANDOM, 0.8, EVEN, FleetSimulation::busiest);
        for (int i = 0; i < LOOPS.length; i++) {
            assertThat(counted[i]).isLessThan(random[i]);
        }
    }
}
