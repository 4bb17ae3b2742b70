package dev.lychgate.server.json;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The types of JSON values, except {@link Shape objects with known members}. */
public final class Json {
    public static final JsonType<String> TEXT =
            new Plain<>(tree("type", "string"), JsonGenerator::writeString, null, text -> text);
    public static final JsonType<Instant> TIME =
            plain(tree("type", "string", "format", "date-time"), (json, time) -> json.writeString(time.toString()));
    public static final JsonType<Boolean> FLAG = plain(tree("type", "boolean"), JsonGenerator::writeBoolean);
    public static final JsonType<Number> INTEGER =
            plain(tree("type", "integer"), (json, number) -> json.writeNumber(number.longValue()));

    /** A number with three decimal places. */
    public static final JsonType<Double> NUMBER =
            plain(tree("type", "number"), (json, number) -> json.writeNumber(Math.round(number * 1000) / 1000.0));

    /** An object with any members. Its Java value is a map of maps, collections, booleans, numbers and strings. */
    public static final JsonType<Object> TREE = plain(tree("type", "object"), Json::writeTree);

    private Json() {}

    private interface Writer<V> {
        void write(JsonGenerator json, V value) throws IOException;
    }

    /** @param elements the type of the elements; null if the values have no elements */
    private record Plain<V>(
            Map<String, Object> schema,
            Writer<? super V> writer,
            @Nullable JsonType<?> elements,
            Function<String, @Nullable V> reader)
            implements JsonType<V> {
        @Override
        public void write(JsonGenerator json, V value) throws IOException {
            writer.write(json, value);
        }

        @Override
        public @Nullable V read(String text) {
            return reader.apply(text);
        }

        @Override
        public void collect(Map<String, Object> schemas) {
            if (elements != null) {
                elements.collect(schemas);
            }
        }
    }

    private static <V> JsonType<V> plain(Map<String, Object> schema, Writer<? super V> writer) {
        return new Plain<>(schema, writer, null, text -> null);
    }

    /** Returns the type of whole numbers within bounds. */
    public static JsonType<Long> integer(long least, long most) {
        return new Plain<>(
                tree("type", "integer", "minimum", least, "maximum", most), JsonGenerator::writeNumber, null, text -> {
                    long value = text.matches("[0-9]{1,18}") ? Long.parseLong(text) : -1;
                    return value < least || value > most ? null : (Long) value;
                });
    }

    /** Returns the type of the strings that {@code word} returns for {@code values}. */
    public static <E> JsonType<E> words(E[] values, Function<? super E, String> word) {
        Map<String, E> byWord = new LinkedHashMap<>();
        Arrays.stream(values).forEach(value -> byWord.put(word.apply(value), value));
        return new Plain<>(
                tree("type", "string", "enum", List.copyOf(byWord.keySet())),
                (json, value) -> json.writeString(word.apply(value)),
                null,
                byWord::get);
    }

    /** Returns the type of the strings that {@link #word} returns for {@code values}. */
    public static <E extends Enum<E>> JsonType<E> words(E[] values) {
        return words(values, Json::word);
    }

    /** Returns the name of {@code constant} in lower case, with {@code -} between its words. */
    public static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Returns the type of strings that are one of {@code words}. */
    public static JsonType<String> words(String... words) {
        return words(words, word -> word);
    }

    public static <V> JsonType<Collection<? extends V>> list(JsonType<V> elements) {
        return new Plain<>(
                tree("type", "array", "items", elements.schema()),
                (json, values) -> {
                    json.writeStartArray();
                    for (V value : values) {
                        elements.write(json, value);
                    }
                    json.writeEndArray();
                },
                elements,
                text -> null);
    }

    /**
     * Returns the type of JSON objects whose members may have any names. The value of each member has the type {@code
     * elements}.
     */
    public static <V> JsonType<Map<String, ? extends V>> map(JsonType<V> elements) {
        return new Plain<>(
                tree("type", "object", "additionalProperties", elements.schema()),
                (json, values) -> {
                    json.writeStartObject();
                    for (Map.Entry<String, ? extends V> entry : values.entrySet()) {
                        json.writeFieldName(entry.getKey());
                        elements.write(json, entry.getValue());
                    }
                    json.writeEndObject();
                },
                elements,
                text -> null);
    }

    /** Returns a map of names and values in the order of the arguments. */
    public static Map<String, Object> tree(Object... namesAndValues) {
        Map<String, Object> tree = new LinkedHashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            tree.put(namesAndValues[i].toString(), namesAndValues[i + 1]);
        }
        return tree;
    }

    private static void writeTree(JsonGenerator json, @Nullable Object node) throws IOException {
        if (node instanceof Map<?, ?> map) {
            json.writeStartObject();
            for (Map.Entry<?, ?> entry : map.entrySet()) {
                json.writeFieldName(String.valueOf(entry.getKey()));
                writeTree(json, entry.getValue());
            }
            json.writeEndObject();
        } else if (node instanceof Collection<?> list) {
            json.writeStartArray();
            for (Object item : list) {
                writeTree(json, item);
            }
            json.writeEndArray();
        } else if (node instanceof JsonText.Content content) {
            content.write(json);
        } else if (node instanceof Number number && Double.isFinite(number.doubleValue())) {
            json.writeNumber(number.toString());
        } else if (node == null || node instanceof Boolean) {
            json.writeObject(node);
        } else {
            json.writeString(node.toString());
        }
    }
}
