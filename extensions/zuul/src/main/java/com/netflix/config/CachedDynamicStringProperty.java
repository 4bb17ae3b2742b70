package com.netflix.config;

import org.jspecify.annotations.Nullable;

/** The same as {@link DynamicStringProperty}: reading a property costs the same here. */
public class CachedDynamicStringProperty extends DynamicStringProperty {
    /** @param otherwise the value while the property is not set */
    public CachedDynamicStringProperty(String name, @Nullable String otherwise) {
        super(name, otherwise);
    }
}
