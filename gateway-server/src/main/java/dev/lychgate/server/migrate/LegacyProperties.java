package dev.lychgate.server.migrate;

import java.io.IOException;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Properties of several files. Keys are compared without dashes and without regard to case, as Spring Boot compares
 * them.
 */
final class LegacyProperties {
    /**
     * A property.
     *
     * @param file the file that contains it
     */
    record Property(String file, String key, String value) {
        @Override
        public String toString() {
            return file + ": " + key + "=" + value;
        }
    }

    private final Map<String, Property> unread = new TreeMap<>();
    private final Map<String, Property> all = new TreeMap<>();

    /** Adds the properties of a file. Later files override earlier files. */
    void add(String file, String text) throws IOException {
        Properties read = new Properties();
        try {
            read.load(new StringReader(text));
        } catch (IllegalArgumentException e) {
            throw new IOException(file + ": " + e.getMessage(), e);
        }
        for (String key : read.stringPropertyNames()) {
            add(file, key, String.valueOf(read.getProperty(key)));
        }
    }

    /** Adds properties. Later properties override earlier properties with the same key. */
    void add(String file, Map<String, String> properties) {
        properties.forEach((key, value) -> add(file, key, value));
    }

    private void add(String file, String key, String value) {
        Property property = new Property(file, key, value.strip());
        all.put(relaxed(key), property);
        unread.put(relaxed(key), property);
    }

    /** Returns a property and marks it as understood; null if the property does not exist. */
    @Nullable
    Property property(String key) {
        unread.remove(relaxed(key));
        return all.get(relaxed(key));
    }

    /** Returns the value of a property and marks the property as understood; null if the property does not exist. */
    @Nullable
    String take(String key) {
        Property property = property(key);
        return property == null ? null : property.value();
    }

    /**
     * Returns the value of a property and marks the property as understood.
     *
     * @param otherwise the result if the property does not exist
     */
    String take(String key, String otherwise) {
        String value = take(key);
        return value == null ? otherwise : value;
    }

    /**
     * Returns the segment after the prefix of each key that has the prefix, spelled as in the file. The prefix ends
     * with a dot.
     */
    List<String> namesAfter(String prefix) {
        int skipped = (int) prefix.chars().filter(c -> c == '.').count();
        return names(key -> relaxed(key).startsWith(relaxed(prefix)), key -> key.split("\\.", -1)[skipped]);
    }

    /**
     * Returns the text before the suffix of each key that has the suffix, spelled as in the file. The suffix begins
     * with a dot.
     */
    List<String> namesBefore(String suffix) {
        int parts = (int) suffix.chars().filter(c -> c == '.').count();
        return names(key -> relaxed(key).endsWith(relaxed(suffix)), key -> withoutLast(key, parts));
    }

    private static String withoutLast(String key, int parts) {
        String rest = key;
        for (int i = 0; i < parts; i++) {
            rest = rest.substring(0, rest.lastIndexOf('.'));
        }
        return rest;
    }

    private List<String> names(Predicate<String> chosen, UnaryOperator<String> name) {
        Map<String, String> names = new LinkedHashMap<>();
        for (Property property : all.values()) {
            if (chosen.test(property.key())) {
                String each = name.apply(property.key());
                names.putIfAbsent(relaxed(each), each);
            }
        }
        return new ArrayList<>(names.values());
    }

    /** Returns the properties that were not marked as understood, sorted by key. */
    List<Property> unread() {
        return List.copyOf(unread.values());
    }

    static String relaxed(String key) {
        return key.replace("-", "").toLowerCase(Locale.ROOT);
    }
}
