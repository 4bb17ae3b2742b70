package dev.lychgate.server.registries;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.server.metrics.Distribution;
import org.junit.jupiter.api.Test;

class RecentCountsTest {
    private static Distribution after(long count) {
        return new Distribution(count, (double) count, new double[] {1}, new long[] {count, 0}, null);
    }

    @Test
    void comparesWithTheOldestMark() {
        RecentCounts recent = new RecentCounts(2);
        assertThat(recent.since(after(5)).counts())
                .describedAs("since the beginning")
                .startsWith(5);
        recent.mark(after(7));
        assertThat(recent.since(after(8)).counts())
                .describedAs("still since the beginning")
                .startsWith(8);
        recent.mark(after(10));
        assertThat(recent.since(after(11)).counts()).startsWith(4);
        recent.mark(after(12));
        assertThat(recent.since(after(12)).counts()).startsWith(2);
    }
}
