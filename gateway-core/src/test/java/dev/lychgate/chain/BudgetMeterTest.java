package dev.lychgate.chain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lychgate.config.FilterBudget;
import dev.lychgate.pool.Permits;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class BudgetMeterTest {
    /** Prevents the removal of allocations. */
    static volatile byte[] sink = {};

    private static BudgetMeter meter(int loops, String... bounds) {
        return Objects.requireNonNull(
                BudgetMeter.of(FilterBudget.of(Map.of(bounds[0], bounds[1])), FilterForm.SYNC, loops));
    }

    private static void runs(BudgetMeter meter, int loop, int count, long nanosBetween) {
        for (int i = 0; i < count; i++) {
            Permits place = Objects.requireNonNull(meter.enter(loop, i * nanosBetween));
            sink = new byte[100_000];
            meter.left(loop);
            place.release();
        }
    }

    @Test
    void measuresOneOfSixtyFourRuns() {
        BudgetMeter meter = meter(2, "allocation", "1KiB");
        runs(meter, 0, 640, 1);
        runs(meter, 1, 63, 1);
        BudgetMeter.Totals totals = meter.totals();
        assertThat(totals.samples()).isEqualTo(10);
        assertThat(totals.bytes() / totals.samples()).isBetween(100_000L, 150_000L);
        assertThat(totals.cpuNanos()).isPositive();
    }

    @Test
    void readsTheCpuTimeTenTimesPerSecondUnlessARunWasLongerThanTheBound() {
        BudgetMeter meter = meter(1, "cpu", "1ms");
        // 6,400 runs in 640 ms.
        runs(meter, 0, 6400, TimeUnit.MICROSECONDS.toNanos(100));
        assertThat(meter.totals().samples()).isEqualTo(100);
        assertThat(meter.totals().cpuSamples()).isBetween(6L, 7L);
        meter.ran(0, TimeUnit.MILLISECONDS.toNanos(2));
        long before = meter.totals().cpuSamples();
        runs(meter, 0, BudgetMeter.SUSPICION + 6400, TimeUnit.MICROSECONDS.toNanos(1));
        assertThat(meter.totals().cpuSamples() - before).isBetween(64L, 66L);
    }

    @Test
    void measuresSlowRunsAtLeastTenTimesPerSecondAfterTheFirstEight() {
        BudgetMeter meter = meter(1, "cpu", "1us");
        runs(meter, 0, 28, TimeUnit.MILLISECONDS.toNanos(50));
        // From the ninth run on, at 400 ms, every second one.
        assertThat(meter.totals().samples()).isEqualTo(10);
    }

    @Test
    void measuresNothingWithoutABoundOfCpuOrAllocation() {
        BudgetMeter meter = meter(1, "time", "1us");
        runs(meter, 0, 640, 1);
        assertThat(meter.isMeasuring()).isFalse();
        assertThat(meter.totals().samples()).isZero();
    }

    @Test
    void aFilterWithoutBoundsHasNoMeter() {
        assertThat(BudgetMeter.of(FilterBudget.of(Map.of("over", "eject")), FilterForm.SYNC, 1))
                .isNull();
    }

    @Test
    void dividesTheConcurrencyAmongTheLoops() {
        BudgetMeter meter = meter(2, "concurrency", "4");
        assertThat(meter.enter(0, 0)).isNotNull();
        Permits second = meter.enter(0, 0);
        assertThat(second).isNotNull();
        assertThat(meter.enter(0, 0)).isNull();
        assertThat(meter.enter(1, 0)).isNotNull();
        second.release();
        assertThat(meter.enter(0, 0)).isNotNull();
    }

    @Test
    void allLoopsShareAConcurrencyBelowTheirNumber() {
        BudgetMeter meter = meter(3, "concurrency", "2");
        assertThat(meter.enter(0, 0)).isNotNull();
        assertThat(meter.enter(1, 0)).isNotNull();
        assertThat(meter.enter(2, 0)).isNull();
    }

    @Test
    void admitsOneExchangeOnAllLoopsWhileLimitedAndKeepsNoPlaceAfterwards() {
        BudgetMeter meter = meter(1, "concurrency", "1");
        Permits before = Objects.requireNonNull(meter.enter(0, 0));
        meter.limit(true);
        assertThat(meter.isLimited()).isTrue();
        Permits limited = Objects.requireNonNull(meter.enter(0, 0));
        assertThat(meter.enter(0, 0)).isNull();
        meter.limit(false);
        assertThat(meter.isLimited()).isFalse();
        assertThat(meter.enter(0, 0)).as("still held from before the limit").isNull();
        limited.release();
        before.release();
        assertThat(meter.enter(0, 0)).isNotNull();
    }

    @Test
    void ownBoundsReplaceInheritedOnes() {
        FilterBudget own = FilterBudget.of(Map.of("cpu", "5us", "over", "limit"));
        FilterBudget inherited = FilterBudget.of(Map.of("cpu", "1ms", "time", "1s", "over", "eject"));
        assertThat(own.or(inherited)).isEqualTo(FilterBudget.of(Map.of("cpu", "5us", "time", "1s", "over", "limit")));
        assertThat(FilterBudget.of(Map.of()).action()).isEqualTo(FilterBudget.Over.REPORT);
        assertThatThrownBy(() -> FilterBudget.of(Map.of("cpu", "0"))).hasMessageContaining("cpu");
        assertThatThrownBy(() -> FilterBudget.of(Map.of("wall", "1s")))
                .hasMessage("budget wall (expected: cpu, allocation, time, concurrency, over)");
    }
}
