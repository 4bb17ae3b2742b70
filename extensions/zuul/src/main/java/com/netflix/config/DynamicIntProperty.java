package com.netflix.config;

/** A property whose value is an {@code int}. */
public class DynamicIntProperty extends PropertyText<Integer> {
    private final int absent;

    /** @param otherwise the value while the property is not set, or its text is malformed */
    public DynamicIntProperty(String name, int otherwise) {
        super(name, otherwise);
        this.absent = otherwise;
    }

    public int get() {
        return parsed(absent, Integer::valueOf);
    }

    @Override
    public Integer getValue() {
        return get();
    }
}
