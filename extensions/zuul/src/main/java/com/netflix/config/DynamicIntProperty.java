package com.netflix.config;

/** An integer property. */
public class DynamicIntProperty extends PropertyText {
    private final int otherwise;

    /** @param otherwise the value while the property is not set, or its text is malformed */
    public DynamicIntProperty(String name, int otherwise) {
        super(name);
        this.otherwise = otherwise;
    }

    public int get() {
        return parsed(otherwise, Integer::valueOf);
    }

    public Integer getValue() {
        return get();
    }
}
