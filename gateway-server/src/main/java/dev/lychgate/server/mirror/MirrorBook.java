package dev.lychgate.server.mirror;

import dev.lychgate.exchange.call.MirrorPair;
import dev.lychgate.server.metrics.MirrorTallies;
import dev.lychgate.server.metrics.MirrorTally;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * The differences that comparisons have found, in groups. The number of groups is bounded: later ones are only counted. One
 * thread adds; any thread reads and resets.
 */
public final class MirrorBook {
    /** The most groups of one mirror. */
    static final int MOST = 200;
    /** The longest path and query of an example. */
    private static final int TARGET = 256;

    private record Place(MirrorTally.Kind kind, String subject) {}

    private final MirrorTallies tallies;
    private volatile Pages pages = new Pages(Instant.now());

    /** All groups since a reset. */
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
     * A mirror with its counts.
     *
     * @param groups the most frequent ones first
     * @param further differences that are in no group, because there are too many groups
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

    /** Forgets all groups. Counts of metrics remain. */
    public void reset() {
        pages = new Pages(Instant.now());
    }

    /** Returns since when differences are in groups. */
    public Instant since() {
        return pages.since();
    }

    /** Returns all mirrors that have had a copy, by route. @param route only this one; null = all */
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
