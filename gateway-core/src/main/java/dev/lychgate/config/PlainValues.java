package dev.lychgate.config;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;

/**
 * The values of a section without nested sections: texts, numbers, flags, durations, sizes, paths and secrets, and
 * lists and mappings of such values. {@link #recording} stores the values that keys read. {@link #of} later supplies
 * the stored values to the same keys.
 */
public final class PlainValues implements Key.Values {
    private final Map<String, Object> values;

    private PlainValues(Map<String, Object> values) {
        this.values = values;
    }

    /**
     * Returns a source that supplies these values to their keys. Its methods throw a {@link ConfigException} for a
     * required key without a value.
     */
    public static Key.Values of(Map<String, Object> values) {
        return new PlainValues(values);
    }

    /**
     * Returns a source that reads from {@code from} and stores each present value of a key in {@code into}.
     *
     * @throws IllegalArgumentException thrown by the returned source, not by this method, when a key with a nested
     *     section is read
     */
    public static Key.Values recording(Key.Values from, Map<String, Object> into) {
        return new Key.Values() {
            @Override
            public <T> T get(Key<T> key) {
                T value = from.get(key);
                if (from.has(key.name()) && value != null) {
                    into.put(key.name(), plain(key.form(), value));
                }
                return value;
            }

            @Override
            public String name() {
                return from.name();
            }

            @Override
            public boolean has(String key) {
                return from.has(key);
            }
        };
    }

    @Override
    public boolean has(String key) {
        return values.containsKey(key);
    }

    @Override
    public <T> T get(Key<T> key) {
        Object value = values.get(key.name());
        if (value != null) {
            return read(key.form(), value);
        }
        if (key.requires() != null) {
            throw new ConfigException(key.name(), "missing", key.requires());
        }
        return key.otherwise();
    }

    @SuppressWarnings("unchecked")
    private static <T> T read(Form<T> form, Object value) {
        return switch (form.kind()) {
            case TEXT -> form.parse().apply((String) value);
            case SECRET -> form.parse().apply(((Secret) value).value());
            case FILE -> (T) value.toString();
            case AMOUNT -> value instanceof String text ? form.parse().apply(text) : (T) value;
            case LIST -> {
                List<Object> items = ((List<?>) value)
                        .stream().<Object>map(each -> read(item(form), each)).toList();
                yield (T) (form.schema().equals("set") ? new LinkedHashSet<>(items) : items);
            }
            case MAPPING -> (T) each(value, item -> read(item(form), item));
            default -> (T) value;
        };
    }

    @SuppressWarnings("unchecked")
    private static <T> Object plain(Form<T> form, Object value) {
        return switch (form.kind()) {
            case TEXT -> form.print().apply((T) value);
            case SECRET -> new Secret(form.print().apply((T) value));
            case FILE -> Path.of(value.toString());
            case NUMBER, FLAG -> value;
            case AMOUNT ->
                value instanceof Duration || value instanceof ByteSize
                        ? value
                        : form.print().apply((T) value);
            case LIST ->
                ((Collection<?>) value)
                        .stream().map(each -> plain(item(form), each)).toList();
            case MAPPING -> each(value, item -> plain(item(form), item));
            case SECTION, FILTER, EXTENSION, PARTIAL ->
                throw new IllegalArgumentException(
                        "a key of the form " + form.kind() + " in a section of plain values");
        };
    }

    private static Map<String, Object> each(Object mapping, Function<Object, Object> change) {
        Map<String, Object> changed = new LinkedHashMap<>();
        ((Map<?, ?>) mapping).forEach((name, value) -> changed.put(String.valueOf(name), change.apply(value)));
        return changed;
    }

    private static Form<?> item(Form<?> form) {
        return Objects.requireNonNull(form.item());
    }

    /** Returns the values in the form in which a file contains them, with durations and sizes as texts. */
    static Map<String, Object> written(Map<String, Object> values) {
        return each(values, PlainValues::written);
    }

    private static Object written(Object value) {
        if (value instanceof Collection<?> list) {
            return list.stream().map(PlainValues::written).toList();
        }
        if (value instanceof Map<?, ?>) {
            return each(value, PlainValues::written);
        }
        return value instanceof Duration duration
                ? Durations.print(duration)
                : value instanceof ByteSize size ? size.toString() : value;
    }
}
