package com.netflix.config;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Reads a property as text, and returns its value. */
abstract class PropertyText<T> {
    private final String name;
    private final @Nullable T otherwise;

    /** @param otherwise the value while the property is not set, or its text is malformed */
    PropertyText(String name, @Nullable T otherwise) {
        this.name = name;
        this.otherwise = otherwise;
    }

    public String getName() {
        return name;
    }

    /** Returns the value that applies while the property is not set, or while its text is malformed. */
    public @Nullable T getDefaultValue() {
        return otherwise;
    }

    /** Returns the current value. */
    public abstract @Nullable T getValue();

    /**
     * Has no effect: after a change of the file of properties, the gateway creates all filters again, and each property
     * returns the current value.
     */
    public void addCallback(Runnable callback) {}

    /** Has no effect. */
    public void removeAllCallbacks() {}

    /** Returns the text; null if the property is not set. */
    final @Nullable String text() {
        return ConfigurationManager.getConfigInstance().getString(name);
    }

    /** Returns the parsed value, or {@code absent} if the property is not set or its text is malformed. */
    final <V> V parsed(V absent, Function<String, V> parser) {
        String text = text();
        try {
            return text == null ? absent : parser.apply(text.trim());
        } catch (IllegalArgumentException e) {
            return absent;
        }
    }

    @Override
    public String toString() {
        return name + "=" + getValue();
    }
}
