package com.netflix.config;

import dev.lychgate.zuul.bound.BoundGeneration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The properties of {@code extensions.zuul.properties}. Properties that filters have set in this process take
 * precedence.
 */
public class PropertyConfiguration {
    private final Map<String, Object> set = new ConcurrentHashMap<>();

    PropertyConfiguration() {}

    /** Returns a property; null if it is not set. */
    public @Nullable Object getProperty(String name) {
        Object own = set.get(name);
        if (own != null) {
            return own;
        }
        BoundGeneration generation = BoundGeneration.current();
        return generation == null ? null : generation.property(name);
    }

    /** Sets a property for all generations, until the process ends. */
    public void setProperty(String name, Object value) {
        set.put(name, value);
    }

    /** Removes a property that {@link #setProperty} has set. */
    public void clearProperty(String name) {
        set.remove(name);
    }

    public boolean containsKey(String name) {
        return getProperty(name) != null;
    }

    /** Returns a property as text; null if it is not set. */
    public @Nullable String getString(String name) {
        Object value = getProperty(name);
        return value == null ? null : value.toString();
    }

    public @Nullable String getString(String name, @Nullable String otherwise) {
        String text = getString(name);
        return text == null ? otherwise : text;
    }

    public boolean getBoolean(String name, boolean otherwise) {
        return new DynamicBooleanProperty(name, otherwise).get();
    }

    public int getInt(String name, int otherwise) {
        return new DynamicIntProperty(name, otherwise).get();
    }

    public long getLong(String name, long otherwise) {
        return new DynamicLongProperty(name, otherwise).get();
    }
}
