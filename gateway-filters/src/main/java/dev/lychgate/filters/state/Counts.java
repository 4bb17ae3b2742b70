package dev.lychgate.filters.state;

import dev.lychgate.filter.FilterCounter;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** A counter with a bounded number of labels. */
public final class Counts implements FilterCounter {
    private static final int MOST = 100;
    private static final int LONGEST = 64;

    private final Map<String, LongAdder> counts = new ConcurrentHashMap<>();

    Counts() {}

    @Override
    public void add(String label, long count) {
        if (count < 0) {
            throw new IllegalArgumentException("a counter can't decrease: " + count);
        }
        LongAdder known = counts.get(label);
        if (known == null) {
            String bounded = counts.size() >= MOST || label.length() > LONGEST ? "other" : label;
            known = counts.computeIfAbsent(bounded, added -> new LongAdder());
        }
        known.add(count);
    }

    @Override
    public long sum() {
        return counts.values().stream().mapToLong(LongAdder::sum).sum();
    }

    public Map<String, Long> byLabel() {
        Map<String, Long> all = new TreeMap<>();
        counts.forEach((label, count) -> all.put(label, count.sum()));
        return all;
    }
}
