package com.netflix.config;

import org.jspecify.annotations.Nullable;

/** Behaves like {@link DynamicStringProperty}, because reading a property is cheap without a cache. */
public class CachedDynamicStringProperty extends DynamicStringProperty {
    /** @param otherwise the value while the property is not set */
    public CachedDynamicStringProperty(String name, @Nullable String otherwise) {
        super(name, otherwise);
    }
}
