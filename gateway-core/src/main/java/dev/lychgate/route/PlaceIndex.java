package dev.lychgate.route;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Finds the places that may cover a given place, without comparing all routes with each other. A place is a route with
 * one of its hosts; a place covers another place if it matches all requests that the other place matches. Places are
 * stored by host and by the literal prefix of their paths. A place that covers the given place meets two conditions.
 * Its host is the host of the given place, or a wildcard for this host, or any host. Its literal prefix is a prefix of
 * the given place's path.
 */
final class PlaceIndex {
    private final Map<String, List<Place>> places = new HashMap<>();

    void add(Place place) {
        places.computeIfAbsent(key(host(place.host()), literals(place.route().path())), k -> new ArrayList<>())
                .add(place);
    }

    /**
     * Returns the route of a place that covers {@code place} according to {@code covers}; null if no place covers it.
     */
    @Nullable
    Route first(Place place, Predicate<Place> covers) {
        String path = literals(place.route().path());
        for (String host : hosts(place.host())) {
            // Longer prefixes come first, because the narrowest covering route explains a warning best.
            for (int end = path.length(); end >= 0; end = end == 0 ? -1 : path.lastIndexOf('/', end - 1)) {
                for (Place candidate : places.getOrDefault(key(host, path.substring(0, end)), List.of())) {
                    if (covers.test(candidate)) {
                        return candidate.route();
                    }
                }
            }
        }
        return null;
    }

    /** Returns every host that covers {@code host}: the host itself, its wildcards, and the key for no host. */
    private static List<String> hosts(@Nullable HostPattern host) {
        List<String> hosts = new ArrayList<>();
        if (host != null) {
            hosts.add(host.toString());
            String name = host.name();
            for (int dot = name.indexOf('.'); dot >= 0; dot = name.indexOf('.', dot + 1)) {
                hosts.add("*." + name.substring(dot + 1));
            }
        }
        hosts.add("");
        return hosts;
    }

    private static String host(@Nullable HostPattern host) {
        return host == null ? "" : host.toString();
    }

    private static String key(String host, String path) {
        return host + '\n' + path;
    }

    /**
     * Returns the literal prefix of a path, such as {@code /a/b} for {@code /a/b/{c}/**}; empty if the path has no
     * literal prefix.
     */
    private static String literals(PathPattern path) {
        if (path instanceof PathPattern.Exact exact) {
            return exact.path();
        }
        StringBuilder literals = new StringBuilder();
        if (path instanceof SegmentPath segments) {
            for (String segment : segments.segments()) {
                if (SegmentPath.isVariable(segment)) {
                    break;
                }
                literals.append('/').append(segment);
            }
        }
        return literals.toString();
    }
}
