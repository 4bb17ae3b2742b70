package com.netflix.config;

import org.jspecify.annotations.Nullable;

/** A text property. */
public class DynamicStringProperty extends PropertyText {
    private final @Nullable String otherwise;

    /** @param otherwise the value while the property is not set */
    public DynamicStringProperty(String name, @Nullable String otherwise) {
        super(name);
        this.otherwise = otherwise;
    }

    public @Nullable String get() {
        String text = text();
        return text == null ? otherwise : text;
    }

    public @Nullable String getValue() {
        return get();
    }
}
