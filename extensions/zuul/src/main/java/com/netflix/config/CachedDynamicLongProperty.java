package com.netflix.config;

/** Behaves like {@link DynamicLongProperty}. Reading a property is cheap, so this class does not cache the value. */
public class CachedDynamicLongProperty extends DynamicLongProperty {
    /** @param otherwise the value while the property is not set */
    public CachedDynamicLongProperty(String name, long otherwise) {
        super(name, otherwise);
    }
}
