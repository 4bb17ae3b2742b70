package dev.lychgate.chain;

import dev.lychgate.filter.FilterProperty;
import java.util.Map;

/**
 * The values of the properties of filters in one generation.
 *
 * @param values a value of the property's type for each property
 */
public record PropertyValues(Map<FilterProperty<?>, Object> values) {
    /** The values of filters without properties. */
    public static final PropertyValues NONE = new PropertyValues(Map.of());

    public PropertyValues {
        values = Map.copyOf(values);
    }

    /** Returns the value of a property; its latest value if the property belongs to another generation. */
    @SuppressWarnings("unchecked")
    public <T> T get(FilterProperty<T> property) {
        Object value = values.get(property);
        return value == null ? property.get() : (T) value;
    }
}
