package dev.lychgate.server.yaml;

import dev.lychgate.config.CallOutConfig;
import dev.lychgate.config.EndpointAddress;
import dev.lychgate.config.EndpointConfig;
import dev.lychgate.config.FiltersConfig;
import dev.lychgate.config.UpstreamConfig;
import dev.lychgate.filters.groovy.NearMiss;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Validates constraints between parts of the file: unique names, and references to existing names. */
final class CrossReferences {
    private final Map<String, Unique> names = new LinkedHashMap<>();
    private final Map<String, Reference> upstreams = new LinkedHashMap<>();
    private final Map<String, Reference> urls = new LinkedHashMap<>();
    private final Map<String, Wanted> subsets = new LinkedHashMap<>();

    /** A value of the file that is a name or refers to a name. */
    interface Place {
        /** Returns the path of keys to the value. */
        Trail trail();

        Position position();

        /** Returns the name, or an empty text if it is missing or refused. */
        String nameOrEmpty();

        /** Records an error of the value. */
        void refuse(String problem, String expected);
    }

    private record Unique(Place place, String expected) {}

    private record Reference(Place from, String name) {}

    private record Wanted(Place from, String upstream, Map<String, String> metadata) {}

    // The maps are keyed by path, because a section may be read more than once.

    /**
     * Registers a name that must be unique in its list.
     *
     * @param expected the description of an accepted name, for the error message if two sections have the same name
     */
    void unique(Place place, String expected) {
        names.put(place.trail().path(), new Unique(place, expected));
    }

    void upstream(Place from, String name) {
        upstreams.put(from.trail().path(), new Reference(from, name));
    }

    /**
     * Registers the target of call-outs: the name of an upstream, or a URL with an origin of {@code filters.call-outs}.
     */
    void callTarget(Place from, String target) {
        if (target.indexOf('/') < 0) {
            upstream(from, target);
        } else {
            urls.put(from.trail().path(), new Reference(from, target));
        }
    }

    void subset(Place from, String upstream, Map<String, String> metadata) {
        subsets.put(from.trail().path(), new Wanted(from, upstream, metadata));
    }

    /**
     * @param names the names of all upstreams, including refused ones
     * @param known the accepted upstreams, by name
     * @param filters the section {@code filters}; null if it is refused
     */
    void check(Set<String> names, Map<?, ?> known, @Nullable FiltersConfig filters, Faults faults) {
        checkUnique();
        if (!faults.areAt("upstreams")) {
            checkNames(names, faults);
        }
        if (filters != null && !faults.areAt("filters")) {
            checkUrls(filters.callOuts(), faults);
        }
        for (Wanted wanted : subsets.values()) {
            if (known.get(wanted.upstream()) instanceof UpstreamConfig upstream
                    && !faults.isFull()
                    && !upstream.hasSubset(wanted.metadata())) {
                wanted.from().refuse(wanted.metadata().toString(), "metadata that " + has(upstream));
            }
        }
    }

    private static String has(UpstreamConfig upstream) {
        List<String> known = upstream.endpoints().stream()
                .map(EndpointConfig::metadata)
                .filter(metadata -> !metadata.isEmpty())
                .map(Map::toString)
                .distinct()
                .toList();
        return known.isEmpty()
                ? "an endpoint of " + upstream.name() + " has; no endpoint of " + upstream.name() + " has metadata"
                : "an endpoint of " + upstream.name() + " has: " + String.join(", ", first(known, 10));
    }

    private void checkNames(Set<String> upstreamNames, Faults faults) {
        for (Reference reference : upstreams.values()) {
            if (faults.isFull()) {
                return;
            }
            String name = reference.name();
            if (!upstreamNames.contains(name)) {
                String near = NearMiss.of(name, upstreamNames);
                String known = upstreamNames.isEmpty()
                        ? "an upstream; the configuration has no upstreams"
                        : "one of the upstreams " + String.join(", ", first(upstreamNames, 10));
                reference.from().refuse(name, near == null ? known : "an upstream; did you mean '" + near + "'?");
            }
        }
    }

    private void checkUrls(List<CallOutConfig> callOuts, Faults faults) {
        List<String> origins =
                callOuts.stream().map(each -> each.url().toString()).toList();
        for (Reference reference : urls.values()) {
            if (!faults.isFull() && !origins.contains(EndpointAddress.originOf(reference.name()))) {
                reference
                        .from()
                        .refuse(
                                reference.name(),
                                origins.isEmpty()
                                        ? "an upstream, or an origin of filters.call-outs, which has no origins"
                                        : "an upstream, or one of the origins in filters.call-outs: "
                                                + String.join(", ", first(origins, 10)));
            }
        }
    }

    private void checkUnique() {
        Map<String, Place> seen = new HashMap<>();
        for (Unique each : names.values()) {
            Place place = each.place();
            // An empty name means that the name could not be read. Another fault already reports this.
            String name = place.nameOrEmpty();
            if (!name.isEmpty()) {
                Place earlier = seen.putIfAbsent(place.trail().pattern() + ' ' + name, place);
                if (earlier != null) {
                    String where = earlier.position().seenFrom(place.position());
                    place.refuse(name, each.expected() + "; " + where + " already has this value");
                }
            }
        }
    }

    private static List<String> first(Collection<String> names, int n) {
        List<String> some = new ArrayList<>(names.stream().limit(n).toList());
        if (names.size() > n) {
            some.add("...");
        }
        return some;
    }
}
