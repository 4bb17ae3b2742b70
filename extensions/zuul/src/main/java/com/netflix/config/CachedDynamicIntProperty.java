package com.netflix.config;

/** Behaves like {@link DynamicIntProperty}. Reading a property is cheap, so this class does not cache the value. */
public class CachedDynamicIntProperty extends DynamicIntProperty {
    /** @param otherwise the value while the property is not set */
    public CachedDynamicIntProperty(String name, int otherwise) {
        super(name, otherwise);
    }
}
