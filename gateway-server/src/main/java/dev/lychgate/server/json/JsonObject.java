package dev.lychgate.server.json;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A JSON object in memory. Its fields keep their order. */
public final class JsonObject implements JsonText.Content {
    /** The value {@code null}. */
    public static final JsonText.Content NULL = JsonGenerator::writeNull;

    private final Map<String, Object> fields = new LinkedHashMap<>();

    /**
     * Adds a field.
     *
     * @param value a text, number, truth value, {@link JsonText.Content}, or collection of those; null = no field
     * @return this object
     */
    public JsonObject with(String name, @Nullable Object value) {
        if (value != null) {
            fields.put(name, value);
        }
        return this;
    }

    @Override
    public void write(JsonGenerator json) throws IOException {
        json.writeStartObject();
        writeFields(json);
        json.writeEndObject();
    }

    /** Writes its fields into the current object. */
    public void writeFields(JsonGenerator json) throws IOException {
        for (Map.Entry<String, Object> field : fields.entrySet()) {
            json.writeFieldName(field.getKey());
            write(json, field.getValue());
        }
    }

    private static void write(JsonGenerator json, Object value) throws IOException {
        if (value instanceof JsonText.Content content) {
            content.write(json);
        } else if (value instanceof Iterable<?> items) {
            json.writeStartArray();
            for (Object item : items) {
                write(json, item);
            }
            json.writeEndArray();
        } else {
            json.writeObject(value);
        }
    }
}
