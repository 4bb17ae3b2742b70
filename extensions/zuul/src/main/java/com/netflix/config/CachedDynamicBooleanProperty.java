package com.netflix.config;

/** Behaves like {@link DynamicBooleanProperty}. Reading a property is cheap, so this class does not cache the value. */
public class CachedDynamicBooleanProperty extends DynamicBooleanProperty {
    /** @param otherwise the value while the property is not set */
    public CachedDynamicBooleanProperty(String name, boolean otherwise) {
        super(name, otherwise);
    }
}
