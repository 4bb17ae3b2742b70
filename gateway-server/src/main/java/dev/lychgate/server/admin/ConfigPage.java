package dev.lychgate.server.admin;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.lychgate.gateway.Gateway;
import dev.lychgate.generation.Generation;
import dev.lychgate.listener.Listener;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** {@code /config}: the configuration in use. */
final class ConfigPage {
    private ConfigPage() {}

    static AdminAnswer of(Gateway gateway) {
        Generation generation = gateway.generation();
        Object tree = ConfigTree.of(generation.config());
        return AdminAnswer.json(json -> {
            json.writeStartObject();
            json.writeNumberField("generation", generation.number());
            json.writeFieldName("config");
            write(json, tree);
            json.writeFieldName("effective");
            write(json, effective(gateway));
            json.writeEndObject();
        });
    }

    /** Returns the values that the machine may keep below the configured ones, under the same names. */
    private static Map<String, Object> effective(Gateway gateway) {
        List<Object> listeners = new ArrayList<>();
        for (Listener listener : gateway.listeners()) {
            listeners.add(Map.of(
                    "name", listener.config().name(), "limits", Map.of("connections", listener.connectionLimit())));
        }
        return Map.of("listeners", listeners);
    }

    static void write(JsonGenerator json, @Nullable Object node) throws IOException {
        if (node instanceof Map<?, ?> map) {
            json.writeStartObject();
            for (Map.Entry<?, ?> entry : map.entrySet()) {
                json.writeFieldName(String.valueOf(entry.getKey()));
                write(json, entry.getValue());
            }
            json.writeEndObject();
        } else if (node instanceof List<?> list) {
            json.writeStartArray();
            for (Object item : list) {
                write(json, item);
            }
            json.writeEndArray();
        } else if (node instanceof Boolean flag) {
            json.writeBoolean(flag);
        } else if (node instanceof Number number) {
            json.writeNumber(number.toString());
        } else if (node == null) {
            json.writeNull();
        } else {
            json.writeString(node.toString());
        }
    }
}
