package dev.lychgate.route;

import dev.lychgate.http.RequestHead;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Indexes templates and prefixes in a trie with one level for each segment. A lookup follows every branch that matches
 * the path, literal branches before variable branches. It skips branches whose entries all rank after the current
 * match. The depth and width of the trie depend only on the configuration, not on clients.
 */
final class PathTrie {
    private final @Nullable RegionMap<PathTrie> literals;
    private final @Nullable PathTrie variable;
    private final RouteEntry[] closed;
    private final RouteEntry[] open;
    private final int lowestRank;

    private PathTrie(Builder builder) {
        int lowest = Integer.MAX_VALUE;
        Map<String, PathTrie> children = new HashMap<>();
        for (Map.Entry<String, Builder> child : builder.literals.entrySet()) {
            PathTrie built = new PathTrie(child.getValue());
            lowest = Math.min(lowest, built.lowestRank);
            children.put(child.getKey(), built);
        }
        this.literals = children.isEmpty() ? null : new RegionMap<>(RegionMap.Case.EXACT, children);
        this.variable = builder.variable == null ? null : new PathTrie(builder.variable);
        this.closed = builder.closed.toArray(RouteEntry.NONE);
        this.open = builder.open.toArray(RouteEntry.NONE);
        if (variable != null) {
            lowest = Math.min(lowest, variable.lowestRank);
        }
        if (closed.length > 0) {
            lowest = Math.min(lowest, closed[0].rank());
        }
        if (open.length > 0) {
            lowest = Math.min(lowest, open[0].rank());
        }
        this.lowestRank = lowest;
    }

    /**
     * Returns the entry that comes first in the order of routes, among {@code found} and all matching entries at or
     * below this node.
     *
     * @param from start of the next segment; beyond the end of the path if no segment is left
     */
    @Nullable
    RouteEntry first(String path, int from, RequestHead head, Ingress ingress, @Nullable RouteEntry found) {
        RouteEntry best = found;
        if (best != null && best.rank() <= lowestRank) {
            return best;
        }
        if (from > path.length()) {
            best = RouteEntry.first(closed, head, ingress, best);
        } else if (literals != null || variable != null) {
            int end = SegmentPath.segmentEnd(path, from);
            PathTrie literal = literals == null ? null : literals.get(path, from, end);
            if (literal != null) {
                best = literal.first(path, end + 1, head, ingress, best);
            }
            if (variable != null && end > from) {
                best = variable.first(path, end + 1, head, ingress, best);
            }
        }
        // The entries of this node come last, because deeper entries have more literals and usually rank first.
        return RouteEntry.first(open, head, ingress, best);
    }

    /** A node under construction. Entries are added in the order of their ranks. */
    static final class Builder {
        private final Map<String, Builder> literals = new HashMap<>();
        private @Nullable Builder variable;
        private final List<RouteEntry> closed = new ArrayList<>();
        private final List<RouteEntry> open = new ArrayList<>();

        void add(SegmentPath path, RouteEntry entry) {
            Builder node = this;
            for (String segment : path.segments()) {
                node = node.child(segment);
            }
            (path.tail() == SegmentPath.Tail.OPEN ? node.open : node.closed).add(entry);
        }

        PathTrie build() {
            return new PathTrie(this);
        }

        private Builder child(String segment) {
            if (!SegmentPath.isVariable(segment)) {
                return literals.computeIfAbsent(segment, s -> new Builder());
            }
            Builder child = variable;
            if (child == null) {
                child = new Builder();
                variable = child;
            }
            return child;
        }
    }
}
