package dev.lychgate.server.replay;

import dev.lychgate.server.filters.FilterAssembly;
import dev.lychgate.server.recording.Recording;
import dev.lychgate.server.recording.RecordingException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Replays recorded exchanges through the filters of two generations and compares the results. The filters of the first
 * generation run twice, each time with separate state. If these two runs differ, the exchange depends on conditions
 * that a replay does not reproduce. Such an exchange is not compared. Used by one thread; only {@link #current} is
 * thread-safe.
 */
public final class ReplayComparison {
    private static final int MOST_GROUPS = 1_000;

    private final Replay stable;
    private final Replay again;
    private final Replay candidate;
    private final Map<Key, Group> groups = new LinkedHashMap<>();
    private int compared;
    private int different;
    private int unstable;
    private int unusable;
    private volatile @Nullable Current current;

    private record Key(String filter, String group) {}

    /**
     * The differences of one kind.
     *
     * @param filter the stage and the name of the filter; empty for the route, the upstream, the error or the response
     * @param difference the difference, without values that clients may have sent
     * @param exchanges the number of exchanges that have this difference
     * @param example the first of these exchanges
     */
    public record Group(String filter, String difference, int exchanges, String example) {}

    /**
     * The exchange that is being replayed.
     *
     * @param isCandidate true while the filters of the candidate run; false while the filters of the stable generation
     *     run
     */
    public record Current(String exchange, boolean isCandidate) {}

    /**
     * The result of all comparisons.
     *
     * @param compared the number of compared exchanges
     * @param different the number of compared exchanges with differences
     * @param unstable the number of exchanges that were not compared, because two replays through the same filters
     *     differed
     * @param unusable the number of recorded exchanges that can't be replayed
     * @param groups the differences, the most frequent ones first
     */
    public record Report(int compared, int different, int unstable, int unusable, List<Group> groups) {
        public Report {
            groups = List.copyOf(groups);
        }
    }

    /**
     * @param stable the filters of the generation in force
     * @param again the filters of {@code stable}, built once more with separate state
     * @param candidate the filters of the generation to compare
     */
    public ReplayComparison(FilterAssembly stable, FilterAssembly again, FilterAssembly candidate) {
        this.stable = new Replay(stable, Map.of());
        this.again = new Replay(again, Map.of());
        this.candidate = new Replay(candidate, Map.of());
    }

    /** Replays one exchange and adds the result to the report. */
    public void compare(Recording recorded) {
        String name = recorded.request().method() + " " + recorded.request().path() + ", request " + recorded.id();
        try {
            current = new Current(name, false);
            Recording before = stable.run(recorded).replayed();
            Recording check = again.run(recorded).replayed();
            current = new Current(name, true);
            Recording after = candidate.run(recorded).replayed();
            if (before == null
                    || check == null
                    || !ReplayDifferences.of(before, check).isEmpty()) {
                unstable++;
            } else {
                compared++;
                add(
                        after == null
                                ? List.of(new ReplayDifference("", "replay", "ended", null))
                                : ReplayDifferences.of(before, after),
                        name);
            }
        } catch (RecordingException e) {
            unusable++;
        } finally {
            current = null;
        }
    }

    private void add(List<ReplayDifference> differences, String exchange) {
        different += differences.isEmpty() ? 0 : 1;
        differences.stream()
                .map(difference -> new Key(difference.filter(), difference.group()))
                .distinct()
                .filter(key -> groups.size() < MOST_GROUPS || groups.containsKey(key))
                .forEach(key -> groups.merge(
                        key,
                        new Group(key.filter(), key.group(), 1, exchange),
                        (old, one) -> new Group(old.filter(), old.difference(), old.exchanges() + 1, old.example())));
    }

    /** Returns the exchange that is being replayed; null between two exchanges. Thread-safe. */
    public @Nullable Current current() {
        return current;
    }

    public Report report() {
        List<Group> found = new ArrayList<>(groups.values());
        found.sort(Comparator.comparing(Group::exchanges).reversed());
        return new Report(compared, different, unstable, unusable, found);
    }
}
