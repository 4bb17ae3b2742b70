package com.netflix.config;

/** The same as {@link DynamicIntProperty}: reading a property costs the same here. */
public class CachedDynamicIntProperty extends DynamicIntProperty {
    /** @param otherwise the value while the property is not set */
    public CachedDynamicIntProperty(String name, int otherwise) {
        super(name, otherwise);
    }
}
