package dev.lychgate.server.admin;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The difference between two configuration trees, value by value. Elements of a list are matched by their names or ids,
 * if they have any. An inserted route therefore does not count as a change of all routes after it.
 */
final class ConfigDifference {
    private ConfigDifference() {}

    /**
     * A changed value.
     *
     * @param key path of the value from the top, such as {@code routes[api].match.path}
     * @param from the old value; null if the value is new
     * @param to the new value; null if the value was removed
     */
    record Change(
            String key, @Nullable String from, @Nullable String to) {}

    static List<Change> between(@Nullable Object from, @Nullable Object to) {
        Map<String, Object> before = new LinkedHashMap<>();
        Map<String, Object> after = new LinkedHashMap<>();
        flatten("", from, before);
        flatten("", to, after);
        Set<String> keys = new TreeSet<>(before.keySet());
        keys.addAll(after.keySet());
        List<Change> changes = new ArrayList<>();
        for (String key : keys) {
            Object was = before.get(key);
            Object is = after.get(key);
            if (!Objects.equals(was, is)) {
                changes.add(new Change(key, text(was), text(is)));
            }
        }
        return changes;
    }

    private static @Nullable String text(@Nullable Object value) {
        return value == null ? null : value.toString();
    }

    private static void flatten(String key, @Nullable Object node, Map<String, Object> into) {
        if (node instanceof Map<?, ?> map) {
            map.forEach((name, value) -> flatten(key.isEmpty() ? name.toString() : key + "." + name, value, into));
        } else if (node instanceof List<?> list && list.stream().anyMatch(Map.class::isInstance)) {
            for (int i = 0; i < list.size(); i++) {
                flatten(key + "[" + name(list.get(i), i) + "]", list.get(i), into);
            }
        } else if (node != null && !(node instanceof List<?> list && list.isEmpty())) {
            into.put(key, node);
        }
    }

    private static String name(@Nullable Object item, int index) {
        if (item instanceof Map<?, ?> map) {
            for (String by : List.of("id", "name", "address")) {
                Object name = map.get(by);
                if (name instanceof String text && !text.isEmpty()) {
                    return text;
                }
            }
        }
        return Integer.toString(index);
    }
}
