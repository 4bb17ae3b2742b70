package com.netflix.config;

/** The same as {@link DynamicLongProperty}: reading a property costs the same here. */
public class CachedDynamicLongProperty extends DynamicLongProperty {
    /** @param otherwise the value while the property is not set */
    public CachedDynamicLongProperty(String name, long otherwise) {
        super(name, otherwise);
    }
}
