package dev.lychgate.filters.settings;

import dev.lychgate.chain.FilterSet;
import dev.lychgate.config.ConfigException;
import dev.lychgate.config.Form;
import dev.lychgate.config.Key;
import dev.lychgate.config.Secret;
import dev.lychgate.config.SecretNames;
import dev.lychgate.filter.Filter;
import dev.lychgate.filter.FilterPhase;
import java.lang.reflect.InvocationTargetException;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A filter that the lists of filters in the configuration can name. If the filter declares settings, one filter object
 * is created for each distinct set of values, and lists with equal values share this object. Thread-safe.
 */
public final class NamedFilter {
    /**
     * The maximum number of kept filter objects, one for each distinct set of values. If it is reached, all kept
     * objects are dropped. No real configuration reaches it.
     */
    private static final int MOST = 10_000;
    /** The maximum length of the settings in the name of a filter, in characters. */
    private static final int LONGEST = 100;

    private final String name;
    private final String code;
    private final @Nullable FilterPhase phase;
    private final List<Key<?>> settings;
    private final Map<String, String> places;
    private final Maker maker;
    private final Map<Map<String, @Nullable Object>, Filter> made = new ConcurrentHashMap<>();
    private final Map<Map<String, @Nullable Object>, String> refused = new ConcurrentHashMap<>();

    /** Creates a filter from its settings. */
    public interface Maker {
        /**
         * Creates the filter.
         *
         * @throws Exception if the code of the filter throws an exception
         */
        Filter make(SettingValues values) throws Exception;
    }

    /**
     * Creates a filter with settings.
     *
     * @param code the class or the file that declares the filter
     * @param phase the phase of the filter; null if the phase is known only after the filter has been created
     * @param places the places where settings are declared, such as {@code inbound/Quota.groovy:3}, by the name of the
     *     setting; may be empty
     */
    public NamedFilter(
            String name,
            String code,
            @Nullable FilterPhase phase,
            List<Key<?>> settings,
            Map<String, String> places,
            Maker maker) {
        this.name = name;
        this.code = code;
        this.phase = phase;
        this.settings = List.copyOf(settings);
        this.places = Map.copyOf(places);
        this.maker = maker;
    }

    /** Returns a named filter for an existing filter without settings. */
    public static NamedFilter of(Filter filter) {
        return of(filter, filter.getClass().getName());
    }

    /**
     * Returns a named filter for an existing filter without settings.
     *
     * @param code the class or the file that declares the filter
     */
    public static NamedFilter of(Filter filter, String code) {
        return new NamedFilter(filter.name(), code, filter.phase(), List.of(), Map.of(), values -> filter);
    }

    /**
     * Returns a named filter that is created from a record with its settings.
     *
     * @throws IllegalArgumentException if a component of the record can't be a setting
     */
    public static <R extends Record> NamedFilter of(String name, Class<R> settings, Function<R, Filter> maker) {
        return new NamedFilter(
                name,
                settings.getName(),
                null,
                DeclaredSettings.of(settings),
                Map.of(),
                values -> maker.apply(settings.cast(DeclaredSettings.record(settings, values))));
    }

    /** Returns the name by which lists refer to the filter. */
    public String name() {
        return name;
    }

    /** Returns the class or the file that declares the filter. */
    public String code() {
        return code;
    }

    /** Returns the phase of the filter; null if the phase is unknown before the filter has been created. */
    public @Nullable FilterPhase phase() {
        return phase;
    }

    /** Returns the settings, in the order of their declaration; empty if the filter declares no settings. */
    public List<Key<?>> settings() {
        return settings;
    }

    /** Returns the names of the settings, for messages. */
    public List<String> settingNames() {
        return settings.stream().map(Key::name).toList();
    }

    /** Returns the file and line that declare a setting; null if they are unknown. */
    public @Nullable String place(String setting) {
        return places.get(setting);
    }

    /** Reads the values of the settings. The caller must check the result for errors. */
    public SettingValues read(Map<String, ?> written) {
        return SettingValues.of(settings, written);
    }

    /**
     * Returns the filter with the default of each setting.
     *
     * @throws ConfigException if the filter has a setting without a default
     */
    public Filter make() {
        return make(Map.of());
    }

    /**
     * Returns the filter with these settings.
     *
     * @throws ConfigException if the settings have errors; the exception reports the first error
     */
    public Filter make(Map<String, ?> written) {
        SettingValues values = read(written);
        if (!values.faults().isEmpty()) {
            throw values.faults().get(0);
        }
        return make(values);
    }

    /**
     * Returns the filter with these values, which must have no errors.
     *
     * @throws ConfigException if the code of the filter fails; the failure is the cause of the exception
     */
    public Filter make(SettingValues values) {
        Filter known = made.get(values.all());
        if (known != null) {
            return known;
        }
        String refusal = refused.get(values.all());
        if (refusal != null) {
            throw new ConfigException("", refusal, "settings that the filter accepts");
        }
        Filter filter = made(values);
        if (made.size() >= MOST) {
            made.clear();
        }
        Filter other = made.putIfAbsent(values.all(), filter);
        return other == null ? filter : other;
    }

    /**
     * Records that the code of the filter has refused these values. After this call, {@link #make(SettingValues)}
     * refuses the values without running the code again.
     */
    public void refuse(SettingValues values, String problem) {
        refused.put(values.all(), values.hide(problem));
    }

    private Filter made(SettingValues values) {
        try {
            return maker.make(values);
        } catch (Exception e) {
            Throwable own = e instanceof InvocationTargetException && e.getCause() != null ? e.getCause() : e;
            ConfigException refused =
                    new ConfigException("", "refused by the filter", values.hide(String.valueOf(own.getMessage())));
            refused.initCause(own);
            throw refused;
        }
    }

    /**
     * Returns the settings as text, and a name of the filter that contains the settings, such as
     * {@code Quota{size=50}}. Secrets are masked, so filters whose settings differ only in secrets have the same name.
     */
    public FilterSet.@Nullable Use use(SettingValues values, String suffix) {
        if (settings.isEmpty()) {
            return null;
        }
        Map<String, String> shown = new LinkedHashMap<>();
        Map<String, String> own = new LinkedHashMap<>();
        for (Key<?> key : settings) {
            Object value = values.value(key.name());
            if (value != null) {
                boolean isSecret = values.isSecret(key.name());
                Object masked = isSecret ? SecretNames.MASK : SecretNames.masked(key.name(), value);
                boolean isMasked = isSecret || (masked instanceof String && !masked.equals(value));
                String text = SecretNames.withoutUserInfo(isMasked ? SecretNames.MASK : print(key, masked))
                        .replaceAll("\\p{Cntrl}", " ");
                shown.put(key.name(), text);
                if (!value.equals(key.otherwise())) {
                    own.put(key.name(), text);
                }
            }
        }
        String distinct = own.isEmpty() ? "" : own.toString();
        String cut = distinct.length() > LONGEST
                ? distinct.substring(0, LONGEST) + "… " + Integer.toHexString(distinct.hashCode()) + "}"
                : distinct;
        return new FilterSet.Use(name + cut + suffix, shown);
    }

    /** Returns the regular expressions among the values of a setting. */
    public static Collection<String> expressions(Key<?> key, Map<String, ?> written) {
        Form<?> item = key.form().item();
        Object value = written.get(key.name());
        // A secret is refused later, because a regular expression can't be a secret.
        if (value == null
                || Secret.isIn(value)
                || !(item == null ? key.form() : item).words().equals(Form.REGEX.words())) {
            return List.of();
        }
        Collection<?> texts =
                value instanceof Map<?, ?> map ? map.values() : value instanceof List<?> list ? list : List.of(value);
        return texts.stream().map(String::valueOf).toList();
    }

    @SuppressWarnings("unchecked")
    private static <T> String print(Key<T> key, Object value) {
        return key.form().print().apply((T) value);
    }
}
