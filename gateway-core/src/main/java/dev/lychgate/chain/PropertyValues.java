package dev.lychgate.chain;

import dev.lychgate.filter.FilterProperty;
import java.util.Map;

/**
 * The values of filter properties in one generation. Immutable.
 *
 * @param values the value of each property; the value has the property's type
 */
public record PropertyValues(Map<FilterProperty<?>, Object> values) {
    /** No values, for a generation whose filters declare no properties. */
    public static final PropertyValues NONE = new PropertyValues(Map.of());

    public PropertyValues {
        values = Map.copyOf(values);
    }

    /**
     * Returns the value of a property in this generation. If this generation has no value for it, returns the
     * property's latest value.
     */
    @SuppressWarnings("unchecked")
    public <T> T get(FilterProperty<T> property) {
        Object value = values.get(property);
        return value == null ? property.get() : (T) value;
    }
}
