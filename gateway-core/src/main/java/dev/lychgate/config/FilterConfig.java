package dev.lychgate.config;

import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A filter in a list of the configuration, with its settings. The name refers to a built-in filter or to a filter from
 * another source, such as a script. The provider of the filters finds the filter with this name. This filter declares
 * the settings.
 *
 * @param name the kind of a built-in filter, or the name of another filter
 * @param settings the settings by name. Each value is a {@link String}, {@link Integer}, {@link Long}, {@link Boolean},
 *     {@link Duration}, {@link ByteSize}, {@link Path}, {@link Secret}, a list or a mapping
 */
public record FilterConfig(String name, Map<String, Object> settings) {
    public FilterConfig {
        Expect.that(
                !name.isBlank() && name.length() <= 128 && name.chars().allMatch(c -> c >= 0x20 && c != 0x7f),
                "name",
                name,
                "the name of a filter");
        Map<String, Object> copy = new LinkedHashMap<>();
        settings.forEach((key, value) -> copy.put(key, copyOf(key, value)));
        settings = Expect.copy(copy);
    }

    /** Creates a filter without settings. */
    public static FilterConfig of(String name) {
        return new FilterConfig(name, Map.of());
    }

    private static Object copyOf(String key, Object value) {
        if (value instanceof List<?> list) {
            return List.copyOf(list);
        }
        if (value instanceof Map<?, ?> map) {
            return Expect.copy(map);
        }
        boolean known = value instanceof String
                || value instanceof Integer
                || value instanceof Long
                || value instanceof Boolean
                || value instanceof Duration
                || value instanceof ByteSize
                || value instanceof Path
                || value instanceof Secret;
        Expect.that(known, key, value, "a text, number, flag, duration, size, list or mapping");
        return value;
    }
}
