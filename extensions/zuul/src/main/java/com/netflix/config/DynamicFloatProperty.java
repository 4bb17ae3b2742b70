package com.netflix.config;

/** A number property. */
public class DynamicFloatProperty extends PropertyText {
    private final float otherwise;

    /** @param otherwise the value while the property is not set, or its text is malformed */
    public DynamicFloatProperty(String name, float otherwise) {
        super(name);
        this.otherwise = otherwise;
    }

    public float get() {
        return parsed(otherwise, Float::valueOf);
    }

    public Float getValue() {
        return get();
    }
}
