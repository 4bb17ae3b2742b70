package dev.lychgate.filters.builtin;

import dev.lychgate.config.ByteSize;
import dev.lychgate.config.ConfigException;
import dev.lychgate.config.FilterConfig;
import dev.lychgate.config.SecretNames;
import dev.lychgate.filters.settings.SettingValues;
import dev.lychgate.http.FieldSyntax;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The settings of one built-in filter. If a setting is absent, its default applies. */
final class Settings {
    private final SettingValues values;
    private final String kind;
    private final String suffix;

    /**
     * Reads and checks the settings of one entry in a list of filters.
     *
     * @param suffix distinguishes the filter from other filters with the same name; may be empty
     * @throws ConfigException if a setting is unknown, missing or malformed; the key of the exception is the name of
     *     the setting
     */
    Settings(FilterKind kind, FilterConfig config, String suffix) {
        this.kind = kind.name();
        this.suffix = suffix;
        this.values = SettingValues.of(kind.settings(), config.settings());
        if (!values.faults().isEmpty()) {
            throw values.faults().get(0);
        }
    }

    /** Returns a name for the filter, which consists of its kind, {@code about} and the suffix. */
    String name(String about) {
        return (about.isEmpty() ? kind : kind + " " + values.hide(about)) + suffix;
    }

    int order() {
        return number("order");
    }

    String text(String key) {
        return value(key, String.class);
    }

    @Nullable
    String textOrNull(String key) {
        return (String) values.value(key);
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
        return (Duration) values.value(key);
    }

    /** Returns whether the setting {@code key} is configured. */
    boolean isSaid(String key) {
        return values.isSet(key);
    }

    /** Returns the value of the setting {@code key}; empty if the setting is absent. */
    List<String> texts(String key) {
        return values.value(key) instanceof List<?> list
                ? list.stream().map(String::valueOf).toList()
                : List.of();
    }

    /** Returns the value of the setting {@code key}; empty if the setting is absent. */
    Map<String, String> mapping(String key) {
        Map<String, String> texts = new LinkedHashMap<>();
        if (values.value(key) instanceof Map<?, ?> map) {
            map.forEach((name, value) -> texts.put(String.valueOf(name), String.valueOf(value)));
        }
        return texts;
    }

    private <T> T value(String key, Class<T> type) {
        Object value = values.value(key);
        if (value == null) {
            throw new ConfigException(key, "missing", "a value");
        }
        return type.cast(value);
    }

    /**
     * Returns the value of a setting, which must be the name of a header.
     *
     * @throws ConfigException if the value is not a name, or filters may not write this header
     */
    String fieldName(String key) {
        return fieldName(key, text(key));
    }

    static String fieldName(String key, String name) {
        if (!FieldSyntax.isName(name)) {
            throw new ConfigException(key, name, "the name of a header field");
        }
        if (!FieldSyntax.isSettable(name)) {
            throw new ConfigException(key, name, "a field that does not concern framing, routing or the connection");
        }
        return name;
    }

    /**
     * Returns the value of a setting, which must be a valid value of a header.
     *
     * @throws ConfigException if the value can't be sent in a header
     */
    String fieldValue(String key) {
        String value = text(key);
        if (!value.chars().allMatch(c -> c == '\t' || (c >= 0x20 && c < 0x7f))) {
            throw new ConfigException(key, isHidden(key) ? SecretNames.MASK : value, "ASCII without line breaks");
        }
        return value;
    }

    /**
     * Returns whether messages must hide the value of a setting, because it contains a secret or belongs to a field
     * such as {@code Authorization}.
     */
    private boolean isHidden(String key) {
        return values.isSecret(key)
                || SecretNames.isSecret(key)
                || (values.value("name") instanceof String field && SecretNames.isSecretField(field));
    }
}
