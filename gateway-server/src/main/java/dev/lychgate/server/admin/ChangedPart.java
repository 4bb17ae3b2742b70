package dev.lychgate.server.admin;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A part that differs between two configurations: a route, an upstream, a listener, a property, an extension, or a
 * section of other settings.
 *
 * @param kind {@code route}, {@code upstream}, {@code listener}, {@code property}, {@code extension}, {@code section},
 *     or {@code order} if the routes have another order
 * @param name the name of the part; for a section, its key
 * @param change one of {@link #ADDED}, {@link #REMOVED} and {@link #CHANGED}
 */
record ChangedPart(String kind, String name, String change) {
    static final String ADDED = "added";
    static final String REMOVED = "removed";
    static final String CHANGED = "changed";

    private static final Set<String> OWN = Set.of("routes", "upstreams", "listeners", "extensions");

    /**
     * Returns the parts that differ, grouped by kind.
     *
     * @param from the tree of a configuration, from {@link ConfigPage}
     * @param to the tree of another configuration
     */
    static List<ChangedPart> between(@Nullable Object from, @Nullable Object to) {
        Map<String, @Nullable Object> before = map(from);
        Map<String, @Nullable Object> after = map(to);
        List<ChangedPart> parts = new ArrayList<>();
        Map<String, @Nullable Object> routesBefore = named(before.get("routes"), "id");
        Map<String, @Nullable Object> routesAfter = named(after.get("routes"), "id");
        add(parts, "route", routesBefore, routesAfter);
        if (!common(routesBefore, routesAfter).equals(common(routesAfter, routesBefore))) {
            parts.add(new ChangedPart("order", "routes", CHANGED));
        }
        add(parts, "upstream", map(before.get("upstreams")), map(after.get("upstreams")));
        add(parts, "listener", named(before.get("listeners"), "name"), named(after.get("listeners"), "name"));
        add(parts, "property", properties(before), properties(after));
        add(parts, "extension", map(before.get("extensions")), map(after.get("extensions")));
        add(parts, "section", sections(before), sections(after));
        return parts;
    }

    private static void add(
            List<ChangedPart> to,
            String kind,
            Map<String, @Nullable Object> before,
            Map<String, @Nullable Object> after) {
        Set<String> names = new TreeSet<>(before.keySet());
        names.addAll(after.keySet());
        for (String name : names) {
            Object was = before.get(name);
            Object is = after.get(name);
            if (was == null && is == null) {
                continue;
            }
            String change = was == null ? ADDED : is == null ? REMOVED : CHANGED;
            if (!change.equals(CHANGED)
                    || !ConfigDifference.between(Map.of("", was), Map.of("", is))
                            .isEmpty()) {
                to.add(new ChangedPart(kind, name, change));
            }
        }
    }

    /** Returns the names that both maps contain, in the order in which {@code of} contains them. */
    private static List<String> common(Map<String, @Nullable Object> of, Map<String, @Nullable Object> other) {
        return of.keySet().stream().filter(other::containsKey).toList();
    }

    private static Map<String, @Nullable Object> properties(Map<String, @Nullable Object> config) {
        return map(map(config.get("filters")).get("properties"));
    }

    private static Map<String, @Nullable Object> sections(Map<String, @Nullable Object> config) {
        Map<String, @Nullable Object> sections = new LinkedHashMap<>(config);
        sections.keySet().removeAll(OWN);
        Map<String, @Nullable Object> filters = new LinkedHashMap<>(map(config.get("filters")));
        filters.remove("properties");
        sections.put("filters", filters);
        return sections;
    }

    private static Map<String, @Nullable Object> named(@Nullable Object list, String by) {
        Map<String, @Nullable Object> named = new LinkedHashMap<>();
        if (list instanceof List<?> items) {
            Function<Object, String> name = item -> String.valueOf(map(item).get(by));
            items.forEach(item -> named.put(name.apply(item), item));
        }
        return named;
    }

    private static Map<String, @Nullable Object> map(@Nullable Object tree) {
        Map<String, @Nullable Object> map = new LinkedHashMap<>();
        if (tree instanceof Map<?, ?> members) {
            members.forEach((name, value) -> map.put(String.valueOf(name), value));
        }
        return map;
    }
}
