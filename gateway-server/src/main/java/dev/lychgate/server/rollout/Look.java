package dev.lychgate.server.rollout;

import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The sums of a step at one point in time.
 *
 * @param at the time in nanoseconds of {@link System#nanoTime()}
 * @param total the sums of all exchanges
 * @param byRoute the sums by the id of the route, in alphabetical order
 */
record Look(long at, Sides total, Map<String, Sides> byRoute) {
    /**
     * Adds up tallies. Thread-safe.
     *
     * @param newest the head of the list of tallies; null if there are none
     */
    static Look of(long at, @Nullable Tally newest) {
        Sides total = new Sides();
        Map<String, Sides> byRoute = new TreeMap<>();
        for (Tally tally = newest; tally != null; tally = tally.next) {
            total.add(tally);
            byRoute.computeIfAbsent(tally.route(), route -> new Sides()).add(tally);
        }
        return new Look(at, total, byRoute);
    }
}
