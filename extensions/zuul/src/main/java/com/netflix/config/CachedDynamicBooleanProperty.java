package com.netflix.config;

/** Behaves like {@link DynamicBooleanProperty}, because reading a property is cheap without a cache. */
public class CachedDynamicBooleanProperty extends DynamicBooleanProperty {
    /** @param otherwise the value while the property is not set */
    public CachedDynamicBooleanProperty(String name, boolean otherwise) {
        super(name, otherwise);
    }
}
