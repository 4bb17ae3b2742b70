package com.netflix.config;

import org.jspecify.annotations.Nullable;

/** Behaves like {@link DynamicStringProperty}. Reading a property is cheap, so this class does not cache the value. */
public class CachedDynamicStringProperty extends DynamicStringProperty {
    /** @param otherwise the value while the property is not set */
    public CachedDynamicStringProperty(String name, @Nullable String otherwise) {
        super(name, otherwise);
    }
}
