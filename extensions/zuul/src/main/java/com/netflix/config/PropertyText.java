package com.netflix.config;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Reads a property as text. */
class PropertyText {
    private final String name;

    PropertyText(String name) {
        this.name = name;
    }

    public String getName() {
        return name;
    }

    /** Returns the text; null if the property is not set. */
    final @Nullable String text() {
        return ConfigurationManager.getConfigInstance().getString(name);
    }

    /** Returns the parsed value, or {@code otherwise} if the property is not set or its text is malformed. */
    final <T> T parsed(T otherwise, Function<String, T> parser) {
        String text = text();
        try {
            return text == null ? otherwise : parser.apply(text.trim());
        } catch (IllegalArgumentException e) {
            return otherwise;
        }
    }
}
