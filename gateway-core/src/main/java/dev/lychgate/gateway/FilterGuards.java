package dev.lychgate.gateway;

import dev.lychgate.chain.FilterSlot;
import dev.lychgate.config.FilterGuard;
import dev.lychgate.generation.Generation;
import dev.lychgate.generation.Traffic;
import java.util.IdentityHashMap;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * The settings {@code filters.guard} that apply to each filter. A filter of a generation in force has the settings of
 * that generation. A filter of a replaced generation has the settings of the stable generation. Immutable.
 */
final class FilterGuards {
    private final FilterGuard stable;
    private final IdentityHashMap<FilterSlot, FilterGuard> guards = new IdentityHashMap<>();

    private FilterGuards(FilterGuard stable) {
        this.stable = stable;
    }

    static FilterGuards of(Traffic traffic) {
        FilterGuards all = new FilterGuards(guard(traffic.stable()));
        for (Generation generation : traffic.generations()) {
            generation.filters().slots().forEach(slot -> all.guards.put(slot, guard(generation)));
        }
        return all;
    }

    private static FilterGuard guard(Generation generation) {
        return generation.config().filters().guard();
    }

    FilterGuard of(FilterSlot slot) {
        return guards.getOrDefault(slot, stable);
    }

    Set<FilterSlot> slots() {
        return guards.keySet();
    }

    /**
     * Returns the interval of checks, in nanoseconds: a quarter of the shortest {@code guard.after}, but at least 10
     * ms.
     */
    long tick() {
        long after = stable.after().toNanos();
        for (FilterGuard guard : guards.values()) {
            after = Math.min(after, guard.after().toNanos());
        }
        return Math.max(TimeUnit.MILLISECONDS.toNanos(10), after / 4);
    }
}
