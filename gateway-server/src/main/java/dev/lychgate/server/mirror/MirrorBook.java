package dev.lychgate.server.mirror;

import dev.lychgate.exchange.call.MirrorPair;
import dev.lychgate.server.metrics.MirrorTallies;
import dev.lychgate.server.metrics.MirrorTally;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Groups the differences that comparisons have found. The number of groups is bounded; differences that would form
 * further groups are only counted. One thread adds differences; any thread may read and reset.
 */
public final class MirrorBook {
    /** The maximum number of groups of one mirror. */
    static final int MOST = 200;
    /** The maximum length of the path and query in an example. */
    private static final int TARGET = 256;

    private record Place(MirrorTally.Kind kind, String subject) {}

    private final MirrorTallies tallies;
    private volatile Pages pages = new Pages(Instant.now());

    /** The groups of all mirrors since the last reset. */
    private record Pages(Instant since, Map<MirrorTallies.Mirror, Page> ofMirrors) {
        Pages(Instant since) {
            this(since, new ConcurrentHashMap<>());
        }
    }

    private static final class Page {
        final Map<Place, DifferenceGroup> groups = new ConcurrentHashMap<>();
        final LongAdder further = new LongAdder();
    }

    /**
     * A mirror with its counts and groups.
     *
     * @param groups the groups, the most frequent ones first
     * @param further the number of differences that belong to no group, because there are too many groups
     */
    public record Shown(String route, String upstream, MirrorTally tally, List<DifferenceGroup> groups, long further) {}

    MirrorBook(MirrorTallies tallies) {
        this.tallies = tallies;
    }

    /** Adds the differences of one comparison. */
    void add(MirrorTallies.Mirror mirror, MirrorPair pair, List<Difference> differences) {
        Page page = pages.ofMirrors().computeIfAbsent(mirror, created -> new Page());
        Instant now = Instant.now();
        String target = Excerpt.of(pair.target(), TARGET);
        for (Difference difference : differences) {
            Place place = new Place(difference.kind(), difference.subject());
            DifferenceGroup.Example example = new DifferenceGroup.Example(
                    now, pair.requestId(), pair.method(), target, difference.primary(), difference.shadow());
            DifferenceGroup known = page.groups.get(place);
            if (known == null && page.groups.size() >= MOST) {
                page.further.increment();
            } else {
                page.groups.put(place, known == null ? DifferenceGroup.of(difference, example) : known.with(example));
            }
        }
    }

    /**
     * Removes the groups and counts of all mirrors that are not in {@code mirrors}, so that the number of groups does
     * not grow with each reload. Thread-safe.
     */
    public void retain(Set<MirrorTallies.Mirror> mirrors) {
        tallies.retain(mirrors);
        pages.ofMirrors().keySet().retainAll(mirrors);
    }

    /** Removes all groups. The counts for metrics remain. */
    public void reset() {
        pages = new Pages(Instant.now());
    }

    /** Returns the time of the last reset. The groups contain only later differences. */
    public Instant since() {
        return pages.since();
    }

    /**
     * Returns the mirrors to which copies were sent, ordered by route.
     *
     * @param route the route of the mirrors; null for all routes
     */
    public List<Shown> look(@Nullable String route) {
        Pages current = pages;
        return new TreeMap<>(tallies.all())
                .entrySet().stream()
                        .filter(mirror ->
                                route == null || route.equals(mirror.getKey().route()))
                        .map(mirror -> shown(mirror.getKey(), mirror.getValue(), current))
                        .toList();
    }

    private static Shown shown(MirrorTallies.Mirror mirror, MirrorTally tally, Pages current) {
        Page page = current.ofMirrors().get(mirror);
        List<DifferenceGroup> groups = page == null
                ? List.of()
                : page.groups.values().stream()
                        .sorted(Comparator.comparingLong(DifferenceGroup::count)
                                .reversed()
                                .thenComparing(DifferenceGroup::subject))
                        .toList();
        return new Shown(mirror.route(), mirror.upstream(), tally, groups, page == null ? 0 : page.further.sum());
    }
}
