package dev.lychgate.filters.builtin;

import dev.lychgate.config.ByteSize;
import dev.lychgate.config.ConfigException;
import dev.lychgate.config.FilterConfig;
import dev.lychgate.http.FieldSyntax;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What is said for one filter, defaults included, each value of the type its setting has. */
final class Settings {
    private final Map<String, Object> values = new HashMap<>();
    private final Set<String> said;
    private final String kind;
    private final String suffix;

    /**
     * @param suffix what tells the filter from others of its name; may be empty
     * @throws ConfigException if a setting is unknown, missing or of another type; its key is the setting's name
     */
    Settings(FilterKind kind, FilterConfig config, String suffix) {
        this.kind = kind.name();
        this.suffix = suffix;
        this.said = config.settings().keySet();
        List<String> known = kind.settings().stream().map(Setting::name).toList();
        config.settings().forEach((key, value) -> {
            if (!known.contains(key)) {
                throw new ConfigException(key, value, "one of " + String.join(", ", known));
            }
        });
        for (Setting setting : kind.settings()) {
            Object value = config.settings().getOrDefault(setting.name(), setting.otherwise());
            if (value == null && setting.required()) {
                throw new ConfigException(setting.name(), "missing", setting.about());
            }
            if (value != null) {
                if (!setting.type().form().isInstance(value)) {
                    throw new ConfigException(
                            setting.name(), value, setting.type().words());
                }
                if (value instanceof Integer number && !setting.accepts(number)) {
                    throw new ConfigException(setting.name(), number, setting.accepted());
                }
                values.put(setting.name(), value);
            }
        }
    }

    /** A name for the filter: its kind, what it is about, and what tells it from others. */
    String name(String about) {
        return (about.isEmpty() ? kind : kind + " " + about) + suffix;
    }

    int order() {
        return number("order");
    }

    String text(String key) {
        return value(key, String.class);
    }

    @Nullable
    String textOrNull(String key) {
        return (String) values.get(key);
    }

    int number(String key) {
        return value(key, Integer.class);
    }

    boolean flag(String key) {
        return value(key, Boolean.class);
    }

    ByteSize size(String key) {
        return value(key, ByteSize.class);
    }

    @Nullable
    Duration durationOrNull(String key) {
        return (Duration) values.get(key);
    }

    /** Whether the value is not the default. */
    boolean isSaid(String key) {
        return said.contains(key);
    }

    /** Empty if nothing is said. */
    List<String> texts(String key) {
        return values.get(key) instanceof List<?> list
                ? list.stream().map(String::valueOf).toList()
                : List.of();
    }

    /** Empty if nothing is said. */
    Map<String, String> mapping(String key) {
        Map<String, String> texts = new java.util.LinkedHashMap<>();
        if (values.get(key) instanceof Map<?, ?> map) {
            map.forEach((name, value) -> texts.put(String.valueOf(name), String.valueOf(value)));
        }
        return texts;
    }

    private <T> T value(String key, Class<T> type) {
        Object value = values.get(key);
        if (value == null) {
            throw new ConfigException(key, "missing", "a value");
        }
        return type.cast(value);
    }

    /** The name of a header. @throws ConfigException if filters may not write it */
    String fieldName(String key) {
        return fieldName(key, text(key));
    }

    static String fieldName(String key, String name) {
        if (!FieldSyntax.isName(name)) {
            throw new ConfigException(key, name, "the name of a header field");
        }
        if (!FieldSyntax.isSettable(name)) {
            throw new ConfigException(key, name, "no field of framing, routing or connection");
        }
        return name;
    }

    /** The value of a header. @throws ConfigException if it can't be sent */
    String fieldValue(String key) {
        String value = text(key);
        if (!value.chars().allMatch(c -> c == '\t' || (c >= 0x20 && c < 0x7f))) {
            throw new ConfigException(key, value, "ASCII without line breaks");
        }
        return value;
    }
}
