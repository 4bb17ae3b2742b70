package dev.lychgate.server.yaml;

import dev.lychgate.config.EndpointConfig;
import dev.lychgate.config.UpstreamConfig;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What holds only between parts of the file: names used once, and names that refer to something. */
final class CrossReferences {
    private final Map<String, Element> routeIds = new LinkedHashMap<>();
    private final Map<String, Reference> upstreams = new LinkedHashMap<>();
    private final Map<String, Element> listenerNames = new LinkedHashMap<>();

    private final Map<String, Wanted> subsets = new LinkedHashMap<>();

    private record Reference(Element from, String name) {}

    private record Wanted(Element from, String upstream, Map<String, String> metadata) {}

    // Keyed by path: a section may be read more than once.

    void listenerName(Element element) {
        listenerNames.put(element.trail.path(), element);
    }

    void routeId(Element element) {
        routeIds.put(element.trail.path(), element);
    }

    void upstream(Element from, String name) {
        upstreams.put(from.trail.path(), new Reference(from, name));
    }

    void subset(Element from, String upstream, Map<String, String> metadata) {
        subsets.put(from.trail.path(), new Wanted(from, upstream, metadata));
    }

    void check(Map<String, UpstreamConfig> known, Faults faults) {
        checkNames(known.keySet(), faults);
        for (Wanted wanted : subsets.values()) {
            UpstreamConfig upstream = known.get(wanted.upstream());
            if (upstream != null && !faults.isFull() && !upstream.hasSubset(wanted.metadata())) {
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
                ? "an endpoint of " + upstream.name() + " has; none has any"
                : "an endpoint of " + upstream.name() + " has: " + String.join(", ", first(known, 10));
    }

    private void checkNames(Set<String> upstreamNames, Faults faults) {
        onlyOnce(listenerNames, "a name no other listener has");
        onlyOnce(routeIds, "an id no other route has");
        for (Reference reference : upstreams.values()) {
            if (faults.isFull()) {
                return;
            }
            String name = reference.name();
            if (!upstreamNames.contains(name)) {
                String near = NearMiss.of(name, upstreamNames);
                String known = upstreamNames.isEmpty()
                        ? "an upstream; the file has none"
                        : "one of the upstreams " + String.join(", ", first(upstreamNames, 10));
                reference.from().refuse(name, near == null ? known : "an upstream; did you mean '" + near + "'?");
            }
        }
    }

    private static void onlyOnce(Map<String, Element> elements, String expected) {
        Map<String, Element> seen = new HashMap<>();
        for (Element element : elements.values()) {
            if (element.present()) {
                String name = element.text("");
                // Empty is what could not be read, and refused on its own account.
                Element earlier = name.isEmpty() ? null : seen.putIfAbsent(name, element);
                if (earlier != null) {
                    element.refuse(name, expected + "; line " + earlier.position.line() + " has it");
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
