package dev.lychgate.server.metrics;

import dev.lychgate.exchange.state.Timeline;
import dev.lychgate.exchange.state.TimelinePhase;

/**
 * Where the time of a route's exchanges went, by phase. Plain fields: either one event loop's own, or a copy, or a sum of
 * copies.
 */
final class PhaseCells {
    private final DurationBuckets bounds;
    private final long[][] buckets;
    private final long[] nanos = new long[TimelinePhase.COUNT];
    private final long[] entered = new long[TimelinePhase.COUNT];

    PhaseCells(DurationBuckets bounds) {
        this.bounds = bounds;
        this.buckets = new long[TimelinePhase.COUNT][bounds.count()];
    }

    /** @param scratch of {@link TimelinePhase#COUNT} elements, to be used by this call alone */
    void count(Timeline timeline, long[] scratch) {
        timeline.times(scratch);
        for (int i = 0; i < scratch.length; i++) {
            long took = scratch[i];
            if (took >= 0) {
                buckets[i][bounds.of(took)]++;
                nanos[i] += took;
                entered[i]++;
            }
        }
    }

    void add(PhaseCells other) {
        for (int i = 0; i < buckets.length; i++) {
            for (int j = 0; j < buckets[i].length; j++) {
                buckets[i][j] += other.buckets[i][j];
            }
            nanos[i] += other.nanos[i];
            entered[i] += other.entered[i];
        }
    }

    /** Whether any exchange has come to it. */
    boolean isEntered(TimelinePhase phase) {
        return entered[phase.index()] > 0;
    }

    /** How many exchanges fell into each of the {@link DurationBuckets}. */
    long[] buckets(TimelinePhase phase) {
        return buckets[phase.index()].clone();
    }

    double seconds(TimelinePhase phase) {
        return nanos[phase.index()] / 1e9;
    }
}
