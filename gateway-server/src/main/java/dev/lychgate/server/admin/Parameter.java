package dev.lychgate.server.admin;

import dev.lychgate.server.json.Json;
import dev.lychgate.server.json.JsonType;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A query parameter.
 *
 * @param count how often the parameter may occur
 * @param about its purpose, in a few words
 */
record Parameter<V>(String name, Count count, JsonType<V> type, String about) {
    enum Count {
        ONCE,
        AT_MOST_ONCE,
        ANY
    }

    static Parameter<String> needed(String name, String about) {
        return needed(name, Json.TEXT, about);
    }

    static <V> Parameter<V> needed(String name, JsonType<V> type, String about) {
        return new Parameter<>(name, Count.ONCE, type, about);
    }

    static Parameter<String> optional(String name, String about) {
        return optional(name, Json.TEXT, about);
    }

    static <V> Parameter<V> optional(String name, JsonType<V> type, String about) {
        return new Parameter<>(name, Count.AT_MOST_ONCE, type, about);
    }

    /**
     * Parses a received value.
     *
     * @throws Rejection if the value is malformed
     */
    V read(String text) throws Rejection {
        V value = type.read(text);
        if (value == null) {
            throw Rejection.malformed(name + " must be " + expected(type.schema()));
        }
        return value;
    }

    private static String expected(Map<String, Object> schema) {
        return schema.get("enum") instanceof List<?> words
                ? words.stream().map(Object::toString).collect(Collectors.joining(", ", "one of ", ""))
                : "a whole number from " + schema.get("minimum") + " to " + schema.get("maximum");
    }
}
