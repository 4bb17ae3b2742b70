package dev.lychgate.server.json;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * A type of JSON objects with known members. For each member, a function reads the value from a {@code T}. Both the
 * output and the schema are derived from the list of members. A shape is complete when its static initializer has run.
 * After that, the shape is thread-safe.
 */
public final class Shape<T> implements JsonType<T> {
    private final String name;
    private final String about;
    private final List<Member<T>> members = new ArrayList<>();

    private interface Member<T> {
        void write(JsonGenerator json, T owner) throws IOException;

        /** @param required collects the names of members that are never missing */
        void describe(Map<String, Object> properties, List<Object> required);

        void collect(Map<String, Object> schemas);
    }

    /**
     * @param name the name of the schema
     * @param about a sentence that describes the objects
     */
    public Shape(String name, String about) {
        this.name = name;
        this.about = about;
    }

    /**
     * Creates a shape without a description.
     *
     * @param name the name of the schema
     */
    public Shape(String name) {
        this(name, "");
    }

    /**
     * Adds a member.
     *
     * @param about a sentence that describes the member
     */
    public <V> Shape<T> field(String key, JsonType<V> type, String about, Function<? super T, ? extends V> value) {
        members.add(new Field<>(key, type, about, true, value));
        return this;
    }

    /**
     * Adds a text.
     *
     * @param about a sentence that describes the member
     */
    public Shape<T> text(String key, String about, Function<? super T, String> value) {
        return field(key, Json.TEXT, about, value);
    }

    /**
     * Adds a whole number.
     *
     * @param about a sentence that describes the member
     */
    public Shape<T> integer(String key, String about, Function<? super T, ? extends Number> value) {
        return field(key, Json.INTEGER, about, value);
    }

    /**
     * Adds a number with three decimal places.
     *
     * @param about a sentence that describes the member
     */
    public Shape<T> number(String key, String about, Function<? super T, Double> value) {
        return field(key, Json.NUMBER, about, value);
    }

    /**
     * Adds a boolean.
     *
     * @param about a sentence that describes the member
     */
    public Shape<T> flag(String key, String about, Function<? super T, Boolean> value) {
        return field(key, Json.FLAG, about, value);
    }

    /**
     * Adds a list.
     *
     * @param about a sentence that describes the member
     */
    public <V> Shape<T> list(
            String key, JsonType<V> type, String about, Function<? super T, ? extends Collection<? extends V>> value) {
        return field(key, Json.list(type), about, value);
    }

    /**
     * Adds a text. The member is omitted if the text is null or empty.
     *
     * @param about a sentence that describes the member
     */
    public Shape<T> optionalText(String key, String about, Function<? super T, String> value) {
        return optional(key, Json.TEXT, about, value.andThen(text -> text == null || text.isEmpty() ? null : text));
    }

    /**
     * Adds a member, which is omitted if {@code value} returns null.
     *
     * @param about a sentence that describes the member
     */
    public <V> Shape<T> optional(String key, JsonType<V> type, String about, Function<? super T, ? extends V> value) {
        members.add(new Field<>(key, type, about, false, value));
        return this;
    }

    /** Adds the members of another shape to the members of this shape. */
    public <U> Shape<T> include(Shape<U> shape, Function<? super T, ? extends U> part) {
        members.add(new Part<>(shape, true, part));
        return this;
    }

    /** Adds the members of another shape. All these members are omitted if {@code part} returns null. */
    public <U> Shape<T> includeOptional(Shape<U> shape, Function<? super T, ? extends U> part) {
        members.add(new Part<>(shape, false, part));
        return this;
    }

    @Override
    public void write(JsonGenerator json, T value) throws IOException {
        json.writeStartObject();
        writeMembers(json, value);
        json.writeEndObject();
    }

    private void writeMembers(JsonGenerator json, T value) throws IOException {
        for (Member<T> member : members) {
            member.write(json, value);
        }
    }

    @Override
    public String about() {
        return about;
    }

    @Override
    public Map<String, Object> schema() {
        return Json.tree("$ref", "#/components/schemas/" + name);
    }

    /** @throws IllegalStateException if another shape has the same name */
    @Override
    public void collect(Map<String, Object> schemas) {
        Map<String, Object> properties = new LinkedHashMap<>();
        List<Object> required = new ArrayList<>();
        members.forEach(member -> member.describe(properties, required));
        Map<String, Object> schema = Json.tree("type", "object");
        if (!about.isEmpty()) {
            schema.put("description", about);
        }
        schema.putAll(Json.tree("properties", properties, "required", required, "additionalProperties", false));
        Object other = schemas.putIfAbsent(name, schema);
        if (other == null) {
            members.forEach(member -> member.collect(schemas));
        } else if (!other.equals(schema)) {
            throw new IllegalStateException("two shapes are named " + name);
        }
    }

    private record Field<T, V>(
            String name, JsonType<V> type, String about, boolean always, Function<? super T, ? extends V> value)
            implements Member<T> {
        @Override
        public void write(JsonGenerator json, T owner) throws IOException {
            V present = value.apply(owner);
            if (always || present != null) {
                json.writeFieldName(name);
                type.write(json, present);
            }
        }

        @Override
        public void describe(Map<String, Object> properties, List<Object> required) {
            Map<String, Object> schema = new LinkedHashMap<>(type.schema());
            schema.put("description", about);
            properties.put(name, schema);
            if (always) {
                required.add(name);
            }
        }

        @Override
        public void collect(Map<String, Object> schemas) {
            type.collect(schemas);
        }
    }

    private record Part<T, U>(Shape<U> shape, boolean always, Function<? super T, ? extends U> part)
            implements Member<T> {
        @Override
        public void write(JsonGenerator json, T owner) throws IOException {
            U present = part.apply(owner);
            if (always || present != null) {
                shape.writeMembers(json, present);
            }
        }

        @Override
        public void describe(Map<String, Object> properties, List<Object> required) {
            shape.members.forEach(member -> member.describe(properties, always ? required : new ArrayList<>()));
        }

        @Override
        public void collect(Map<String, Object> schemas) {
            shape.members.forEach(member -> member.collect(schemas));
        }
    }
}
