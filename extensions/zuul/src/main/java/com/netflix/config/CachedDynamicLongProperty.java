package com.netflix.config;

/** Behaves like {@link DynamicLongProperty}, because reading a property is cheap without a cache. */
public class CachedDynamicLongProperty extends DynamicLongProperty {
    /** @param otherwise the value while the property is not set */
    public CachedDynamicLongProperty(String name, long otherwise) {
        super(name, otherwise);
    }
}
