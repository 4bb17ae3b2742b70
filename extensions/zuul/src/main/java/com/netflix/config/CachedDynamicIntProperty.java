package com.netflix.config;

/** Behaves like {@link DynamicIntProperty}, because reading a property is cheap without a cache. */
public class CachedDynamicIntProperty extends DynamicIntProperty {
    /** @param otherwise the value while the property is not set */
    public CachedDynamicIntProperty(String name, int otherwise) {
        super(name, otherwise);
    }
}
