package com.netflix.config;

import org.jspecify.annotations.Nullable;

/** A property whose value is a text. */
public class DynamicStringProperty extends PropertyText<String> {
    /** @param otherwise the value while the property is not set */
    public DynamicStringProperty(String name, @Nullable String otherwise) {
        super(name, otherwise);
    }

    public @Nullable String get() {
        return getValue();
    }

    @Override
    public @Nullable String getValue() {
        String text = text();
        return text == null ? getDefaultValue() : text;
    }
}
