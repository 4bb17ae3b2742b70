package dev.lychgate.server.yaml;

import dev.lychgate.config.KnownSecrets;
import dev.lychgate.config.Secret;
import dev.lychgate.server.secrets.SecretDigest;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The secrets that one reading of a configuration has found in values that may be secrets. */
final class SecretsRead {
    private final String file;
    private final Placeholders placeholders;
    /** The secret values, by the paths of their keys. */
    private final Map<String, String> places = new HashMap<>();

    private final Map<String, String> digests = new LinkedHashMap<>();
    private final Set<String> values = new LinkedHashSet<>();
    private final Map<Path, String> warnings = new LinkedHashMap<>();

    SecretsRead(String file, Placeholders placeholders) {
        this.file = file;
        this.placeholders = placeholders;
    }

    /** Adds a secret that was read. From now on, its text does not appear in messages, even if the value is refused. */
    void found(Position at, String key, Scalar scalar) {
        Set<String> texts = new LinkedHashSet<>(scalar.secrets().values());
        texts.add(scalar.text());
        if (values.addAll(texts)) {
            KnownSecrets.OF_PROCESS.add(texts);
        }
        scalar.secrets()
                .forEach((reference, text) ->
                        digests.computeIfAbsent(reference.written(), written -> SecretDigest.of(text)));
        scalar.exposed()
                .forEach(path -> warnings.putIfAbsent(
                        path,
                        new Fault(
                                        at.in(file),
                                        at.line(),
                                        at.column(),
                                        key,
                                        "every user of this machine can read " + path,
                                        "a file that only the user of the gateway can read: chmod 600")
                                .toString()));
    }

    /**
     * Adds a value that was accepted as a secret.
     *
     * @param path the path of its key
     */
    void accepted(String path, String text) {
        places.put(path, text);
    }

    /**
     * Returns the value of a setting with its secrets marked as such.
     *
     * @param path the path of the key
     */
    Object marked(String path, Object value) {
        if (places.isEmpty()) {
            return value;
        }
        if (value instanceof List<?> list) {
            List<Object> items = new ArrayList<>();
            for (int i = 0; i < list.size(); i++) {
                // A list with one item may be written as the item itself.
                String item = places.containsKey(path) ? path : path + "[" + i + "]";
                items.add(marked(item, list.get(i)));
            }
            return items;
        }
        if (value instanceof Map<?, ?> map) {
            Map<Object, Object> entries = new LinkedHashMap<>();
            map.forEach((name, each) -> entries.put(name, marked(path + "." + name, each)));
            return entries;
        }
        return value instanceof String text && places.containsKey(path) ? new Secret(text) : value;
    }

    /** Returns a message about a value without the secrets of this reading. */
    String hide(String message) {
        return Secret.hide(message, values);
    }

    /** Returns the secrets of an accepted configuration. */
    ReferredSecrets referred() {
        return values.isEmpty()
                ? ReferredSecrets.NONE
                : new ReferredSecrets(
                        placeholders.files(), digests, List.copyOf(values), List.copyOf(warnings.values()));
    }

    /** Returns the files of secrets, even of a refused configuration, because these files are watched. */
    Set<Path> files() {
        return placeholders.files();
    }
}
