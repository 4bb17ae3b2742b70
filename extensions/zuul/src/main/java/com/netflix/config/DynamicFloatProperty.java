package com.netflix.config;

/** A property whose value is a {@code float}. */
public class DynamicFloatProperty extends PropertyText<Float> {
    private final float absent;

    /** @param otherwise the value while the property is not set, or its text is malformed */
    public DynamicFloatProperty(String name, float otherwise) {
        super(name, otherwise);
        this.absent = otherwise;
    }

    public float get() {
        return parsed(absent, Float::valueOf);
    }

    @Override
    public Float getValue() {
        return get();
    }
}
