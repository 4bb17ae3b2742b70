package dev.lychgate.server.metrics;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The counts of all mirrors since the start. A mirror keeps its counts through changes of the configuration, until no
 * generation in force has the mirror. Thread-safe.
 */
public final class MirrorTallies {
    /** A mirror: the route, and the upstream of its copies. */
    public record Mirror(String route, String upstream) implements Comparable<Mirror> {
        @Override
        public int compareTo(Mirror other) {
            int routes = route.compareTo(other.route);
            return routes == 0 ? upstream.compareTo(other.upstream) : routes;
        }
    }

    private final Map<Mirror, MirrorTally> all = new ConcurrentHashMap<>();

    MirrorTallies() {}

    /** Returns the counts of a mirror. The first call creates them. */
    public MirrorTally of(Mirror mirror) {
        MirrorTally known = all.get(mirror);
        return known == null ? all.computeIfAbsent(mirror, created -> new MirrorTally()) : known;
    }

    /**
     * Discards the counts of all mirrors that are not in {@code mirrors}. A copy that ends later creates new counts for
     * its mirror.
     */
    public void retain(Set<Mirror> mirrors) {
        all.keySet().retainAll(mirrors);
    }

    /** Returns the counts of all mirrors that have had a copy. */
    public Map<Mirror, MirrorTally> all() {
        return Map.copyOf(all);
    }
}
