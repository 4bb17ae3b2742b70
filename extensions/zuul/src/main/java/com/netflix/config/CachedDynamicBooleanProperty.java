package com.netflix.config;

/** The same as {@link DynamicBooleanProperty}: reading a property costs the same here. */
public class CachedDynamicBooleanProperty extends DynamicBooleanProperty {
    /** @param otherwise the value while the property is not set */
    public CachedDynamicBooleanProperty(String name, boolean otherwise) {
        super(name, otherwise);
    }
}
