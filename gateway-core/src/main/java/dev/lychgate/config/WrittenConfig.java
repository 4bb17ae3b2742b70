package dev.lychgate.config;

import java.lang.reflect.Field;
import java.lang.reflect.RecordComponent;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Writes a configuration as a tree of maps, lists and values, with the keys of the file. A file with the content of the
 * tree, but without its nulls, results in an equal configuration.
 *
 * <p>The constant with the name of a component declares the key of the component. A component without such a constant
 * has no key: if it is a record, its own keys are added to the enclosing section; otherwise, it is omitted.
 */
public final class WrittenConfig {
    private WrittenConfig() {}

    /** A record whose components differ from the keys of its section in the file. */
    interface Section {
        /**
         * Adds, changes or removes keys of {@code section}. At the start of the call, the section contains the keys of
         * the components.
         */
        void complete(Map<String, @Nullable Object> section);
    }

    /**
     * Returns the tree of a configuration or of one of its sections. The values of the tree are numbers, flags, texts,
     * {@link URI}s, {@link Path}s of files and {@link Secret}s.
     */
    public static Map<String, @Nullable Object> of(Record settings) {
        Map<String, @Nullable Object> section = new LinkedHashMap<>();
        try {
            for (RecordComponent component : settings.getClass().getRecordComponents()) {
                Object value = component.getAccessor().invoke(settings);
                Key<?> key = key(settings.getClass(), component.getName());
                if (key != null) {
                    section.put(key.name(), write(key, value));
                } else if (value instanceof Record beside) {
                    section.putAll(of(beside));
                }
            }
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(settings.getClass().getName(), e);
        }
        if (settings instanceof Section more) {
            more.complete(section);
        }
        return section;
    }

    private static @Nullable Key<?> key(Class<?> type, String component) throws IllegalAccessException {
        String name = component.replaceAll("([a-z0-9])([A-Z])", "$1_$2").toUpperCase(Locale.ROOT);
        for (Field field : type.getDeclaredFields()) {
            if (field.getName().equals(name) && field.getType() == Key.class) {
                field.setAccessible(true);
                return (Key<?>) field.get(null);
            }
        }
        return null;
    }

    /** Returns the value of a key in the form in which the file contains it. */
    static <T> @Nullable Object write(Key<T> key, @Nullable Object value) {
        return write(key.form(), value);
    }

    @SuppressWarnings("unchecked")
    private static <T> @Nullable Object write(Form<T> form, @Nullable Object value) {
        Form<?> item = form.item();
        if (form.kind() == Form.Kind.SECTION) {
            return section(item, value);
        }
        if (value == null) {
            return null;
        }
        return switch (form.kind()) {
            case LIST -> list(Objects.requireNonNull(item), (Collection<?>) value);
            case MAPPING -> mapping(Objects.requireNonNull(item), (Map<?, ?>) value);
            case SECRET -> new Secret(value.toString());
            case FILE -> Path.of(value.toString());
            case FLAG -> value;
            case FILTER -> filter((FilterConfig) value, form.schema().equals(Form.AUTHORIZER.schema()));
            case EXTENSION -> PlainValues.written(((ExtensionConfig) value).settings());
            default -> {
                String text = value instanceof URI ? "" : form.print().apply((T) value);
                boolean plain = value instanceof URI || (value instanceof Integer && text.equals(value.toString()));
                yield plain ? value : text;
            }
        };
    }

    /** Writes a section, or the word that replaces it. */
    private static @Nullable Object section(@Nullable Form<?> word, @Nullable Object value) {
        if (word != null) {
            for (String text : word.kind() == Form.Kind.FLAG ? List.of("false") : word.choices()) {
                if (Objects.equals(word.parse().apply(text), value)) {
                    return word.kind() == Form.Kind.FLAG ? false : text;
                }
            }
        }
        return value instanceof Record settings ? of(settings) : value;
    }

    private static List<@Nullable Object> list(Form<?> item, Collection<?> values) {
        List<@Nullable Object> list = new ArrayList<>();
        values.forEach(value -> list.add(write(item, value)));
        return list;
    }

    private static Map<String, @Nullable Object> mapping(Form<?> item, Map<?, ?> values) {
        Map<String, @Nullable Object> mapping = new LinkedHashMap<>();
        values.forEach((name, value) -> mapping.put(String.valueOf(name), write(item, value)));
        return mapping;
    }

    /**
     * @param mapping whether a filter without settings must be written as a mapping, because its bare name would have
     *     another meaning
     */
    private static Object filter(FilterConfig filter, boolean mapping) {
        Map<String, Object> settings = PlainValues.written(filter.settings());
        return settings.isEmpty() && !mapping ? filter.name() : Map.of(filter.name(), settings);
    }
}
