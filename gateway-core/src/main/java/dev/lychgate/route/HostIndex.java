package dev.lychgate.route;

import dev.lychgate.http.RequestHead;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Indexes the entries of all routes by host, then by path. A lookup starts with the whole host of the request,
 * continues with the wildcards for this host, the longest first, and ends with the routes without a host. A lookup
 * skips a part of the index only if all entries of the part rank after the current match. The result is therefore the
 * same as for a scan of all entries in order.
 */
final class HostIndex {
    private final RegionMap<PathIndex> exact;
    private final RegionMap<PathIndex> below;
    private final int deepestWildcard;
    private final @Nullable PathIndex any;

    HostIndex(List<RouteEntry> entries) {
        Map<String, List<RouteEntry>> names = new HashMap<>();
        Map<String, List<RouteEntry>> wildcards = new HashMap<>();
        List<RouteEntry> hostless = new ArrayList<>();
        int deepest = 0;
        for (RouteEntry entry : entries) {
            HostPattern host = entry.host();
            if (host == null) {
                hostless.add(entry);
            } else if (host.kind() == HostPattern.Kind.EXACT) {
                names.computeIfAbsent(host.name(), n -> new ArrayList<>()).add(entry);
            } else {
                wildcards.computeIfAbsent(host.name(), n -> new ArrayList<>()).add(entry);
                deepest = Math.max(deepest, labels(host.name()));
            }
        }
        this.exact = index(names);
        this.below = index(wildcards);
        this.deepestWildcard = deepest;
        this.any = hostless.isEmpty() ? null : new PathIndex(hostless);
    }

    @Nullable
    RouteEntry first(RequestHead head, Ingress ingress) {
        String host = head.host();
        int end = HostPattern.nameEnd(host);
        RouteEntry best = null;
        if (end > 0) {
            PathIndex paths = exact.get(host, 0, end);
            if (paths != null) {
                best = paths.first(head, ingress, null);
            }
            best = belowWildcards(host, end, head, ingress, best);
        }
        return any == null ? best : any.first(head, ingress, best);
    }

    private @Nullable RouteEntry belowWildcards(
            String host, int end, RequestHead head, Ingress ingress, @Nullable RouteEntry found) {
        RouteEntry best = found;
        int dot = end;
        for (int labels = 0; labels < deepestWildcard; labels++) {
            dot = host.lastIndexOf('.', dot - 1);
            if (dot <= 0) {
                break;
            }
            PathIndex paths = below.get(host, dot + 1, end);
            if (paths != null) {
                best = paths.first(head, ingress, best);
            }
        }
        return best;
    }

    private static RegionMap<PathIndex> index(Map<String, List<RouteEntry>> entries) {
        Map<String, PathIndex> indexes = new HashMap<>();
        entries.forEach((name, list) -> indexes.put(name, new PathIndex(list)));
        return new RegionMap<>(RegionMap.Case.IGNORED, indexes);
    }

    private static int labels(String name) {
        return (int) name.chars().filter(c -> c == '.').count() + 1;
    }
}
