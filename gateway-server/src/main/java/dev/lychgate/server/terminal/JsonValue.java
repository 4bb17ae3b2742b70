package dev.lychgate.server.terminal;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A JSON value. A missing member is {@link #NOTHING}, because other versions of the gateway may have other members.
 * Immutable.
 */
public final class JsonValue {
    public static final JsonValue NOTHING = new JsonValue(null);

    private static final JsonFactory FACTORY = new JsonFactory();

    /** A map, a list, a string, a number, a boolean, or null. */
    private final @Nullable Object value;

    private JsonValue(@Nullable Object value) {
        this.value = value;
    }

    /**
     * Parses one value.
     *
     * @throws IOException if the text is malformed
     */
    public static JsonValue of(String text) throws IOException {
        try (JsonParser json = FACTORY.createParser(text)) {
            @Nullable JsonToken first = json.nextToken();
            if (first == null) {
                throw new IOException("the text is empty (expected: JSON)");
            }
            return read(json, first);
        }
    }

    private static JsonValue read(JsonParser json, JsonToken token) throws IOException {
        return switch (token) {
            case START_OBJECT -> {
                Map<String, JsonValue> fields = new LinkedHashMap<>();
                while (json.nextToken() == JsonToken.FIELD_NAME) {
                    String name = json.currentName();
                    fields.put(name, read(json, json.nextToken()));
                }
                yield new JsonValue(fields);
            }
            case START_ARRAY -> {
                List<JsonValue> items = new ArrayList<>();
                for (JsonToken next = json.nextToken(); next != JsonToken.END_ARRAY; next = json.nextToken()) {
                    items.add(read(json, next));
                }
                yield new JsonValue(items);
            }
            case VALUE_STRING -> new JsonValue(json.getText());
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> new JsonValue(json.getDoubleValue());
            case VALUE_TRUE -> new JsonValue(true);
            case VALUE_FALSE -> new JsonValue(false);
            default -> NOTHING;
        };
    }

    public JsonValue get(String name) {
        return value instanceof Map<?, ?> map && map.get(name) instanceof JsonValue member ? member : NOTHING;
    }

    /** Returns the members in their order; empty if this is not an object. */
    public Map<String, JsonValue> fields() {
        if (!(value instanceof Map<?, ?> map)) {
            return Map.of();
        }
        Map<String, JsonValue> fields = new LinkedHashMap<>();
        map.forEach((name, field) -> fields.put((String) name, (JsonValue) field));
        return fields;
    }

    /** Returns the elements of the list {@code name}; empty if that member is not a list. */
    public List<JsonValue> list(String name) {
        return get(name).value instanceof List<?> list
                ? list.stream().map(JsonValue.class::cast).toList()
                : List.of();
    }

    /** Returns the elements of this list; empty if this is not a list. */
    public List<JsonValue> items() {
        return value instanceof List<?> list
                ? list.stream().map(JsonValue.class::cast).toList()
                : List.of();
    }

    public boolean isList() {
        return value instanceof List<?>;
    }

    public boolean isObject() {
        return value instanceof Map<?, ?>;
    }

    /** Returns whether this is null or a missing member. */
    public boolean isMissing() {
        return value == null;
    }

    /** Returns a string as received, or a number or boolean as text; empty for any other value. */
    public String scalar() {
        if (value instanceof Double number && number == Math.rint(number) && Math.abs(number) < 1e15) {
            return Long.toString(number.longValue());
        }
        return value instanceof Boolean || value instanceof Double ? value.toString() : raw();
    }

    public boolean has(String name) {
        return get(name).value != null;
    }

    /** Returns the string member {@code name} in a form that is safe to print; empty if the member is not a string. */
    public String text(String name) {
        return Printable.escaped(get(name).raw());
    }

    /** Returns this string as received; empty if this is not a string. */
    public String raw() {
        return value instanceof String text ? text : "";
    }

    /** Returns the number member {@code name}; 0 if the member is not a number. */
    public double number(String name) {
        return get(name).number();
    }

    /** Returns this number; 0 if this is not a number. */
    public double number() {
        return value instanceof Double number ? number : 0;
    }

    public boolean is(String name) {
        return Boolean.TRUE.equals(get(name).value);
    }
}
