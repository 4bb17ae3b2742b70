package dev.lychgate.filters.state;

import dev.lychgate.filter.FilterCounter;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** A counter of a filter, with a limited number of labels. */
public final class Counts implements FilterCounter {
    private final ByLabel<LongAdder> counts = new ByLabel<>(LongAdder::new);

    Counts() {}

    @Override
    public void add(String label, long count) {
        if (count < 0) {
            throw new IllegalArgumentException("a counter can't decrease: " + count);
        }
        counts.of(label).add(count);
    }

    @Override
    public long sum() {
        long sum = 0;
        for (LongAdder each : counts.all()) {
            sum += each.sum();
        }
        return sum;
    }

    public Map<String, Long> byLabel() {
        return counts.sorted(LongAdder::sum);
    }
}
