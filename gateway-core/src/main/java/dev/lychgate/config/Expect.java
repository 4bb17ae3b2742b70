package dev.lychgate.config;

import java.util.List;
import java.util.Map;

/** The checks that records share; each throws a {@link ConfigException} that names the key. */
final class Expect {
    private Expect() {}

    static void that(boolean holds, String key, Object value, String expected) {
        if (!holds) {
            throw new ConfigException(key, value, expected);
        }
    }

    static void between(int low, int high, String key, int value) {
        that(value >= low && value <= high, key, value, low + " to " + high);
    }

    static <T> List<T> copy(List<T> list) {
        return List.copyOf(list);
    }

    static <K, V> Map<K, V> copy(Map<K, V> map) {
        return java.util.Collections.unmodifiableMap(new java.util.LinkedHashMap<>(map));
    }
}
