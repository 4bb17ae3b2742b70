package dev.lychgate.server.admin;

import dev.lychgate.server.json.Json;
import dev.lychgate.server.json.JsonType;
import java.util.Arrays;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A parameter of the query.
 *
 * @param count how often it may be there
 * @param about what it is for, in a few words
 */
record Parameter<V>(String name, Count count, Values<V> values, String about) {
    enum Count {
        ONCE,
        AT_MOST_ONCE,
        ANY
    }

    /**
     * What its values may be.
     *
     * @param schema of one value
     * @param expected the same in words
     * @param reading reads a value; returns null for what is none
     */
    record Values<V>(Map<String, Object> schema, String expected, Function<String, @Nullable V> reading) {
        static final Values<String> TEXT = new Values<>(Json.TEXT.schema(), "a text", text -> text);
        static final Values<Boolean> FLAG = words(new Boolean[] {true, false}, String::valueOf);

        /** {@code true} alone: what is not to be is not there. */
        static final Values<Boolean> TRUE = words(new Boolean[] {true}, String::valueOf);

        static <V> Values<V> words(V[] all, Function<? super V, String> word) {
            JsonType<V> type = Json.words(all, word);
            return new Values<>(
                    type.schema(),
                    "one of " + Arrays.stream(all).map(word).collect(Collectors.joining(", ")),
                    text -> Arrays.stream(all)
                            .filter(value -> word.apply(value).equals(text))
                            .findFirst()
                            .orElse(null));
        }

        static <E extends Enum<E>> Values<E> words(E[] all) {
            return words(all, Json::word);
        }

        static Values<Long> integer(long least, long most) {
            return new Values<>(
                    Json.tree("type", "integer", "minimum", least, "maximum", most),
                    "a whole number from " + least + " to " + most,
                    text -> {
                        long value = text.matches("[0-9]{1,18}") ? Long.parseLong(text) : -1;
                        return value < least || value > most ? null : (Long) value;
                    });
        }
    }

    static Parameter<String> needed(String name, String about) {
        return needed(name, Values.TEXT, about);
    }

    static <V> Parameter<V> needed(String name, Values<V> values, String about) {
        return new Parameter<>(name, Count.ONCE, values, about);
    }

    static Parameter<String> optional(String name, String about) {
        return optional(name, Values.TEXT, about);
    }

    static <V> Parameter<V> optional(String name, Values<V> values, String about) {
        return new Parameter<>(name, Count.AT_MOST_ONCE, values, about);
    }

    /** Reads a value that was sent. */
    V read(String text) throws Rejection {
        V value = values.reading().apply(text);
        if (value == null) {
            throw Rejection.malformed(name + " is " + values.expected());
        }
        return value;
    }
}
