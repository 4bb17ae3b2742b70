package dev.lychgate.server.migrate;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.ConstructNode;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.Tag;
import org.snakeyaml.engine.v2.schema.FailsafeSchema;

/**
 * Reads the configuration of an application in YAML as properties: the keys of nested mappings are joined by dots, and
 * the elements of a sequence are joined by commas. All values are texts. A key without a value has an empty text.
 */
final class LegacyYaml {
    /** Keys whose presence limits a document to a profile of Spring. */
    private static final List<String> PROFILES = List.of("spring.profiles", "spring.config.activate.on-profile");

    /**
     * A schema in which each scalar is a text. The library's own schema cannot construct the value of a key without a
     * value.
     */
    private static final class Texts extends FailsafeSchema {
        @Override
        public Map<Tag, ConstructNode> getSchemaTagConstructors() {
            return Map.of(Tag.NULL, node -> "");
        }
    }

    private LegacyYaml() {}

    /**
     * Returns the properties of all documents that are not limited to a profile; later documents override earlier ones.
     *
     * @param notes receives the documents that are not read
     * @throws IOException if the text is not valid YAML
     */
    static Map<String, String> read(String file, String text, List<String> notes) throws IOException {
        LoadSettings settings =
                LoadSettings.builder().setLabel(file).setSchema(new Texts()).build();
        Map<String, String> all = new LinkedHashMap<>();
        try {
            for (Object document : new Load(settings).loadAllFromString(text)) {
                Map<String, String> properties = new LinkedHashMap<>();
                add(properties, "", document);
                String profile = profile(properties);
                if (profile == null) {
                    all.putAll(properties);
                } else {
                    notes.add(file + ": the document for the profile " + profile + " of Spring is not read");
                }
            }
        } catch (YamlEngineException e) {
            throw new IOException(file + ": " + String.valueOf(e.getMessage()).replaceAll("\\s*\\R\\s*", " "), e);
        }
        return all;
    }

    private static @Nullable String profile(Map<String, String> properties) {
        for (String key : PROFILES) {
            if (properties.containsKey(key)) {
                return properties.get(key);
            }
        }
        return null;
    }

    private static void add(Map<String, String> properties, String key, @Nullable Object value) {
        if (value instanceof Map<?, ?> mapping) {
            mapping.forEach((name, each) -> add(properties, key.isEmpty() ? "" + name : key + "." + name, each));
        } else if (value instanceof List<?> sequence && sequence.stream().noneMatch(LegacyYaml::isNested)) {
            List<String> texts = new ArrayList<>();
            sequence.forEach(each -> texts.add(text(each)));
            properties.put(key, String.join(",", texts));
        } else if (value instanceof List<?> sequence) {
            for (int i = 0; i < sequence.size(); i++) {
                add(properties, key + "[" + i + "]", sequence.get(i));
            }
        } else if (!key.isEmpty()) {
            properties.put(key, text(value));
        }
    }

    private static boolean isNested(@Nullable Object value) {
        return value instanceof Map<?, ?> || value instanceof List<?>;
    }

    private static String text(@Nullable Object value) {
        return value == null ? "" : value.toString();
    }
}
