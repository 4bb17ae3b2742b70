package dev.lychgate.route;

import dev.lychgate.http.RequestHead;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Indexes the routes of one host by path. Exact paths are in a map, templates and prefixes in a trie, regular
 * expressions and routes without a path in a list. The time of a lookup grows with the number of routes in the list,
 * but not with the number of routes in the map and the trie.
 */
final class PathIndex {
    private final RegionMap<RouteEntry[]> exact;
    private final PathTrie trie;
    private final RouteEntry[] regex;
    private final RouteEntry[] any;
    private final int lowestRank;

    /** @param entries entries of one host, at least one, in the order of their ranks */
    PathIndex(List<RouteEntry> entries) {
        Map<String, List<RouteEntry>> exactPaths = new HashMap<>();
        PathTrie.Builder segmentPaths = new PathTrie.Builder();
        List<RouteEntry> expressions = new ArrayList<>();
        List<RouteEntry> pathless = new ArrayList<>();
        for (RouteEntry entry : entries) {
            PathPattern path = entry.route().path();
            if (path instanceof PathPattern.Exact whole) {
                exactPaths.computeIfAbsent(whole.path(), p -> new ArrayList<>()).add(entry);
            } else if (path instanceof SegmentPath segments) {
                segmentPaths.add(segments, entry);
            } else {
                (path instanceof PathPattern.Regex ? expressions : pathless).add(entry);
            }
        }
        Map<String, RouteEntry[]> exactArrays = new HashMap<>();
        exactPaths.forEach((path, list) -> exactArrays.put(path, list.toArray(RouteEntry.NONE)));
        this.exact = new RegionMap<>(RegionMap.Case.EXACT, exactArrays);
        this.trie = segmentPaths.build();
        this.regex = expressions.toArray(RouteEntry.NONE);
        this.any = pathless.toArray(RouteEntry.NONE);
        this.lowestRank = entries.get(0).rank();
    }

    /**
     * Returns the entry that comes first in the order of routes, among all matching entries in this index and {@code
     * found}.
     */
    @Nullable
    RouteEntry first(RequestHead head, Ingress ingress, @Nullable RouteEntry found) {
        RouteEntry best = found;
        if (best != null && best.rank() <= lowestRank) {
            return best;
        }
        String path = head.path();
        RouteEntry[] whole = exact.get(path, 0, path.length());
        if (whole != null) {
            best = RouteEntry.first(whole, head, ingress, best);
        }
        if (path.startsWith("/")) {
            best = trie.first(path, 1, head, ingress, best);
        }
        for (RouteEntry entry : regex) {
            if (best != null && best.rank() <= entry.rank()) {
                break;
            }
            // The cheap predicates are tested before the regular expression, which is expensive.
            if (entry.route().furtherHold(head, ingress) && entry.route().path().matches(path)) {
                best = entry;
                break;
            }
        }
        return RouteEntry.first(any, head, ingress, best);
    }
}
