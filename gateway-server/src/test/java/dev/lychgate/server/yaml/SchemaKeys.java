package dev.lychgate.server.yaml;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Walks a JSON Schema and lists its keys in the form of the reader. */
final class SchemaKeys {
    private final Set<String> keys = new LinkedHashSet<>();
    private final List<String> undescribed = new ArrayList<>();

    private SchemaKeys() {}

    static Set<String> of(JsonNode schema) {
        SchemaKeys walk = new SchemaKeys();
        walk.visit(schema, "");
        return walk.keys;
    }

    /** Returns the keys without a description. */
    static List<String> undescribed(JsonNode schema) {
        SchemaKeys walk = new SchemaKeys();
        walk.visit(schema, "");
        return walk.undescribed;
    }

    private void visit(JsonNode schema, String path) {
        for (Map.Entry<String, JsonNode> property : schema.path("properties").properties()) {
            String key = path.isEmpty() ? property.getKey() : path + "." + property.getKey();
            keys.add(key);
            if (property.getValue().path("description").asText().isBlank()) {
                undescribed.add(key);
            }
            visit(property.getValue(), key);
        }
        for (JsonNode choice : schema.path("anyOf")) {
            visit(choice, path);
        }
        if (schema.path("items").isObject()) {
            visit(schema.path("items"), path + "[]");
        }
        if (schema.path("additionalProperties").isObject()) {
            visit(schema.path("additionalProperties"), path + ".*");
        }
    }
}
