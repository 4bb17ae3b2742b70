package dev.lychgate.chain;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class FilterStatsTest {
    @Test
    void addsUpWhatEachLoopHasCounted() {
        FilterStats stats = new FilterStats(2);
        stats.ran(0, 10_000);
        stats.ran(1, 10_001);
        stats.ran(1, 70_000_000_000L);
        stats.failed(1);
        stats.timedOut(1);
        stats.skipped(0);

        assertThat(stats.runs()).isEqualTo(3);
        assertThat(stats.nanos()).isEqualTo(70_000_020_001L);
        assertThat(stats.failures()).isEqualTo(1);
        assertThat(stats.timeouts()).isEqualTo(1);
        assertThat(stats.skipped()).isEqualTo(1);
        assertThat(stats.durations()).hasSize(FilterStats.bounds().length + 1);
        assertThat(stats.durations()).startsWith(1, 1, 0).endsWith(0, 1);
    }

    @Test
    void everyBoundIsThatOfABucketOfItsOwn() {
        FilterStats stats = new FilterStats(1);
        for (long bound : FilterStats.bounds()) {
            stats.ran(0, bound);
        }
        stats.ran(0, Long.MAX_VALUE / 2);
        assertThat(stats.durations()).containsOnly(1);
        assertThat(FilterStats.bounds()).isSorted();
        assertThat(Arrays.stream(stats.durations()).sum()).isEqualTo(stats.runs());
    }
}
