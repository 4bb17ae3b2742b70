package dev.lychgate.filters.state;

import dev.lychgate.chain.PropertyValues;
import dev.lychgate.config.ConfigException;
import dev.lychgate.filter.FilterProperty;
import dev.lychgate.loop.SerialExecutor;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * The properties that the filters of one build read. Several generations may share the filters; each generation has a
 * separate set of values. Thread-safe.
 */
public final class LiveProperties {
    private static final SerialExecutor CALLS = SerialExecutor.passing("lychgate-properties");

    private final Map<String, List<String>> first;
    private final List<OwnProperty<?>> all = new ArrayList<>();

    /**
     * Creates the properties of one build, with their values during the build.
     *
     * @param first the configured values at the time of the build
     */
    public LiveProperties(Map<String, List<String>> first) {
        this.first = first;
    }

    /**
     * Declares a property. If the type of the configured value differs from the type of {@code otherwise}, {@link
     * #faults} reports an error.
     */
    synchronized <T> OwnProperty<T> declare(String file, String place, String name, T otherwise) {
        OwnProperty<T> property = new OwnProperty<>(file, place, name, otherwise);
        try {
            property.set(property.read(first));
        } catch (ConfigException e) {
            // The build continues, so that all errors are reported.
        }
        all.add(property);
        return property;
    }

    /** Records that all filters are loaded. */
    void loaded() {
        all().forEach(OwnProperty::loaded);
    }

    public synchronized List<OwnProperty<?>> all() {
        return List.copyOf(all);
    }

    /** Returns an error for each configured value whose type differs from the type that a filter declares. */
    public List<ConfigException> faults(Map<String, List<String>> configured) {
        List<ConfigException> faults = new ArrayList<>();
        for (OwnProperty<?> property : all()) {
            try {
                property.read(configured);
            } catch (ConfigException e) {
                faults.add(e);
            }
        }
        return faults;
    }

    public Set<String> names() {
        Set<String> names = new TreeSet<>();
        all().forEach(property -> names.add(property.getName()));
        return names;
    }

    /**
     * Returns the values of a generation.
     *
     * @throws ConfigException if the type of a value differs from the type that a filter declares
     */
    public PropertyValues values(Map<String, List<String>> configured) {
        Map<FilterProperty<?>, Object> values = new HashMap<>();
        all().forEach(property -> values.put(property, property.read(configured)));
        return values.isEmpty() ? PropertyValues.NONE : new PropertyValues(values);
    }

    /**
     * Records that the generation with these values has taken effect. Reports changed values to the filters, on a
     * separate thread.
     */
    public void tookOver(PropertyValues values) {
        List<Runnable> calls = new ArrayList<>();
        for (OwnProperty<?> property : all()) {
            Object value = values.values().get(property);
            Runnable call = value == null ? null : property.set(value);
            if (call != null) {
                calls.add(call);
            }
        }
        if (!calls.isEmpty()) {
            CALLS.execute(() -> calls.forEach(Runnable::run));
        }
    }
}
