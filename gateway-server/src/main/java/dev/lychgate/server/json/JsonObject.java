package dev.lychgate.server.json;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A JSON object in memory. Its members keep their order. */
public final class JsonObject implements JsonText.Content {
    public static final JsonText.Content NULL = JsonGenerator::writeNull;

    private final Map<String, Object> fields = new LinkedHashMap<>();

    /**
     * Adds a member.
     *
     * @param value a string, number, boolean, {@link JsonText.Content}, or a collection of these; null for no member
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
        Json.TREE.write(json, fields);
    }
}
