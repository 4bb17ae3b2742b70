package dev.lychgate.server.yaml;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.Map;
import java.util.Objects;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.schema.CoreSchema;

/** Small files with one value of one key and all keys that it requires. */
final class SampleFiles {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String SMALLEST = """
            listeners: [{ name: a, address: "localhost:0" }]
            routes: [{ id: r, upstream: u }]
            upstreams: { u: { endpoints: ["http://localhost:1"] } }
            """;

    private final String smallest;
    private final JsonNode samples;

    SampleFiles() throws IOException {
        this(SMALLEST);
    }

    /** With another smallest file, which must contain the names of the usual one. */
    SampleFiles(String smallest) throws IOException {
        this.smallest = smallest;
        try (InputStream in = Objects.requireNonNull(getClass().getResourceAsStream("documented-values.yml"))) {
            samples = yaml(new String(in.readAllBytes(), StandardCharsets.UTF_8));
        }
    }

    /** Values by key, for keys with a type that does not list them. */
    JsonNode values() {
        return samples.path("values");
    }

    private static JsonNode yaml(String text) {
        return JSON.valueToTree(
                new Load(LoadSettings.builder().setSchema(new CoreSchema()).build()).loadFromString(text));
    }

    /** Returns the smallest file with all keys that this value of the key requires. */
    private ObjectNode beside(String key, JsonNode value) {
        ObjectNode file = (ObjectNode) yaml(smallest);
        samples.path("beside").properties().stream()
                .filter(entry ->
                        key.startsWith(entry.getKey()) || entry.getKey().equals(key + "=" + value.asText()))
                .sorted(Comparator.comparing(entry -> entry.getKey().length()))
                .forEach(entry -> merge(file, entry.getValue()));
        return file;
    }

    private static void merge(ObjectNode into, JsonNode overlay) {
        for (Map.Entry<String, JsonNode> entry : overlay.properties()) {
            JsonNode there = into.get(entry.getKey());
            JsonNode value = entry.getValue();
            if (value.isNull()) {
                into.remove(entry.getKey());
            } else if (there instanceof ObjectNode object && value.isObject()) {
                merge(object, value);
            } else if (there instanceof ArrayNode list
                    && list.path(0) instanceof ObjectNode first
                    && value.path(0).isObject()) {
                merge(first, value.get(0));
            } else {
                into.set(entry.getKey(), value.deepCopy());
            }
        }
    }

    ObjectNode with(String key, JsonNode value) {
        ObjectNode file = beside(key, value);
        parent(file, key).set(last(key), value);
        return file;
    }

    ObjectNode without(String key, JsonNode value) {
        ObjectNode file = beside(key, value);
        parent(file, key).remove(last(key));
        return file;
    }

    private static String last(String key) {
        return key.substring(key.lastIndexOf('.') + 1);
    }

    private static ObjectNode parent(ObjectNode file, String key) {
        ObjectNode at = file;
        String[] steps = key.split("\\.", -1);
        for (int i = 0; i < steps.length - 1; i++) {
            String step = steps[i].equals("*") ? "u" : steps[i];
            if (step.endsWith("[]")) {
                ArrayNode list = at.withArray("/" + step.substring(0, step.length() - 2));
                at = list.isEmpty() ? list.addObject() : (ObjectNode) list.get(0);
            } else {
                JsonNode next = at.get(step);
                at = next instanceof ObjectNode section ? section : at.putObject(step);
            }
        }
        return at;
    }
}
