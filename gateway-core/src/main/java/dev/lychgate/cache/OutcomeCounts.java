package dev.lychgate.cache;

import static java.util.Objects.requireNonNull;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** Counts the requests of a route by outcome. Thread-safe. */
final class OutcomeCounts {
    private final Map<CacheOutcome, LongAdder> counts = new EnumMap<>(CacheOutcome.class);

    OutcomeCounts() {
        for (CacheOutcome outcome : CacheOutcome.values()) {
            counts.put(outcome, new LongAdder());
        }
    }

    void increment(CacheOutcome outcome) {
        requireNonNull(counts.get(outcome)).increment();
    }

    long of(CacheOutcome outcome) {
        return requireNonNull(counts.get(outcome)).sum();
    }
}
