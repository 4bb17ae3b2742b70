package dev.lychgate.filters.settings;

import dev.lychgate.config.ConfigException;
import dev.lychgate.config.Durations;
import dev.lychgate.config.Form;
import dev.lychgate.config.Key;
import dev.lychgate.config.Secret;
import dev.lychgate.config.SecretNames;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The values of the settings of one filter, including defaults. The keys that the filter declares determine how the
 * values are read. Immutable.
 *
 * <p>A value may be a text even if its key has another type, for example if it is from an environment variable.
 * Therefore, every type that can be written as text is accepted as text.
 */
public final class SettingValues {
    private final Map<String, @Nullable Object> values = new LinkedHashMap<>();
    private final Map<String, Object> written;
    private final List<ConfigException> faults = new ArrayList<>();

    private SettingValues(Map<String, Object> written) {
        this.written = written;
    }

    /**
     * Reads the settings of one filter.
     *
     * @param written the values in the form of {@link dev.lychgate.config.FilterConfig}, by the names of the settings
     */
    public static SettingValues of(List<? extends Key<?>> keys, Map<String, ?> written) {
        SettingValues settings = new SettingValues(Collections.unmodifiableMap(new LinkedHashMap<>(written)));
        List<String> known = keys.stream().map(Key::name).toList();
        settings.written.forEach((name, value) -> {
            if (!known.contains(name)) {
                String expected = known.isEmpty() ? "no settings" : "one of " + String.join(", ", known);
                settings.faults.add(settings.masked(new ConfigException(name, shown(value), expected)));
            }
        });
        keys.forEach(settings::read);
        return settings;
    }

    private <T> void read(Key<T> key) {
        Object value = written.get(key.name());
        String required = key.requires();
        if (value == null) {
            values.put(key.name(), key.otherwise());
            if (required != null) {
                faults.add(new ConfigException(key.name(), "missing", required));
            }
            return;
        }
        try {
            T read = read(key.form(), key.name(), value);
            check(key.form(), key.name(), read, value);
            values.put(key.name(), read);
        } catch (ConfigException e) {
            faults.add(masked(e));
        }
    }

    /** Returns the error, with a mask in place of the value of a secret setting or header. */
    private ConfigException masked(ConfigException fault) {
        String[] path = fault.key().split("[.\\[]", 2);
        boolean named = SecretNames.isSecret(path[0]) || (path.length > 1 && SecretNames.isSecretField(path[1]));
        if (!named && !isSecret(path[0])) {
            return fault;
        }
        String quoted = '"' + fault.value() + '"';
        // The message about a malformed expression would contain a part of the expression.
        String expected = fault.expected().startsWith("an RE2 expression")
                ? "an RE2 expression"
                : fault.expected().replace(quoted, SecretNames.MASK);
        return new ConfigException(fault.key(), SecretNames.MASK, hide(expected));
    }

    /**
     * Refuses a value that is out of range. The message contains the value in the form in which it was written, such as
     * {@code 0s} and not {@code 0}.
     */
    private static <T> void check(Form<T> form, String name, T read, Object written) {
        try {
            form.check(name, read);
        } catch (ConfigException e) {
            boolean number = form.kind() == Form.Kind.AMOUNT || form.kind() == Form.Kind.NUMBER;
            throw number ? new ConfigException(name, shown(written), e.expected()) : e;
        }
    }

    @SuppressWarnings("unchecked")
    private static <T> T read(Form<T> form, String name, Object written) {
        Object value = plain(form, name, written);
        Form<?> item = form.item();
        return switch (form.kind()) {
            case NUMBER ->
                parsed(form, name, value, value instanceof Number || value instanceof String, "a whole number");
            case FLAG -> parsed(form, name, value, shown(value).matches("true|false"), "true or false");
            case LIST -> (T) list(Objects.requireNonNull(item), form, name, value);
            case MAPPING -> (T) mapping(Objects.requireNonNull(item), form, name, value);
            case AMOUNT ->
                parsed(form, name, value, !(value instanceof List || value instanceof Map), "a " + plain(form));
            default -> text(form, name, value);
        };
    }

    /**
     * Returns the text of a secret to which the configuration file refers; returns other values unchanged.
     *
     * @throws ConfigException if the setting is not a text
     */
    private static Object plain(Form<?> form, String name, Object written) {
        if (!(written instanceof Secret secret)) {
            return written;
        }
        // A regular expression can't be a secret, because it is counted against the budget of all expressions before
        // the filter is created.
        boolean text = form.choices().isEmpty()
                && !form.words().equals(Form.REGEX.words())
                && switch (form.kind()) {
                    case TEXT, SECRET -> true;
                    case LIST -> form.schema().equals("one");
                    default -> false;
                };
        if (!text) {
            throw new ConfigException(name, secret, "a value that is not secret, because only a text may be secret");
        }
        // Each item of the list is checked separately.
        return form.kind() == Form.Kind.LIST ? written : secret.value();
    }

    private static <T> T text(Form<T> form, String name, Object value) {
        if (value instanceof Number || value instanceof Boolean) {
            // The message advises the use of quotes, provided that the value would be accepted as a text.
            parsed(form, name, value, true, "");
            throw new ConfigException(name, value, "text; put it in quotes: \"" + value + "\"");
        }
        return parsed(form, name, value, value instanceof String, "text");
    }

    private static <T> T parsed(Form<T> form, String name, Object value, boolean fits, String expected) {
        if (!fits) {
            throw new ConfigException(name, shown(value), expected);
        }
        try {
            return form.parse().apply(shown(value));
        } catch (ConfigException e) {
            throw new ConfigException(name, shown(value), e.expected());
        } catch (NumberFormatException e) {
            throw new ConfigException(name, shown(value), number(form, shown(value)));
        } catch (IllegalArgumentException e) {
            String unit = value instanceof Number ? "; a bare number has no unit" : "";
            throw new ConfigException(name, shown(value), e.getMessage() + unit);
        }
    }

    /** Returns the expected form, for the message about a text that is not a valid number. */
    private static String number(Form<?> form, String text) {
        if (!text.matches("-?\\d+")) {
            return "a whole number";
        }
        String range = form.expected();
        return range == null ? "a whole number of fewer digits" : range;
    }

    private static List<Object> list(Form<?> item, Form<?> form, String name, Object value) {
        List<Object> items = new ArrayList<>();
        if (value instanceof List<?> list) {
            for (int i = 0; i < list.size(); i++) {
                items.add(item(item, name + "[" + i + "]", Objects.requireNonNull(list.get(i))));
            }
        } else if (form.schema().equals("one") && !(value instanceof Map)) {
            items.add(item(item, name, value));
        } else {
            throw new ConfigException(name, shown(value), "a " + plain(form));
        }
        // List.copyOf is not used, because its contains(null) throws an exception. A filter may check whether the list
        // contains the value of an absent header, which is null.
        return Collections.unmodifiableList(items);
    }

    private static Map<String, Object> mapping(Form<?> item, Form<?> form, String name, Object value) {
        if (!(value instanceof Map<?, ?> map)) {
            throw new ConfigException(name, shown(value), "a " + plain(form));
        }
        Map<String, Object> items = new LinkedHashMap<>();
        BiConsumer<Object, Object> add = (key, each) -> items.put(key.toString(), item(item, name + "." + key, each));
        map.forEach(add);
        return Collections.unmodifiableMap(items);
    }

    private static <I> Object item(Form<I> form, String name, Object value) {
        I read = read(form, name, value);
        check(form, name, read, value);
        return Objects.requireNonNull(read);
    }

    private static String plain(Form<?> form) {
        return form.words().replace("`", "");
    }

    private static String shown(@Nullable Object value) {
        if (value instanceof Map) {
            return "a mapping";
        }
        if (value instanceof List) {
            return "a list";
        }
        return value instanceof Duration duration ? Durations.print(duration) : String.valueOf(value);
    }

    /**
     * Returns all errors; empty if the values can be used. The key of an error is the name of the setting, or a path
     * that begins with the name of the setting.
     */
    public List<ConfigException> faults() {
        return Collections.unmodifiableList(faults);
    }

    /** Returns the value of a setting. If the setting is absent, returns its default; null if it has no default. */
    public @Nullable Object value(String name) {
        return values.get(name);
    }

    /** Returns whether the value of a setting is, or contains, a secret to which the configuration file refers. */
    public boolean isSecret(String name) {
        return Secret.isIn(written.get(name));
    }

    /**
     * Returns a text of the filter, such as the message of an exception, with masks in place of the secrets among the
     * values.
     */
    public String hide(String text) {
        List<String> secrets = new ArrayList<>(Secret.in(written));
        values.forEach((name, value) -> {
            secrets.addAll(Secret.in(value));
            if (SecretNames.isSecret(name)) {
                addTexts(value, secrets);
            }
        });
        return Secret.hide(text, secrets);
    }

    private static void addTexts(@Nullable Object value, List<String> to) {
        if (value instanceof String text) {
            to.add(text);
        } else if (value instanceof Map<?, ?> map) {
            map.values().forEach(each -> addTexts(each, to));
        } else if (value instanceof List<?> list) {
            list.forEach(each -> addTexts(each, to));
        }
    }

    /** Returns whether the setting is present. */
    public boolean isSet(String name) {
        return written.containsKey(name);
    }

    /** Returns all values, including defaults, in the order of the keys. */
    public Map<String, @Nullable Object> all() {
        return Collections.unmodifiableMap(values);
    }
}
