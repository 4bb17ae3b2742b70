package com.netflix.config;

/** An integer property. */
public class DynamicLongProperty extends PropertyText {
    private final long otherwise;

    /** @param otherwise the value while the property is not set, or its text is malformed */
    public DynamicLongProperty(String name, long otherwise) {
        super(name);
        this.otherwise = otherwise;
    }

    public long get() {
        return parsed(otherwise, Long::valueOf);
    }

    public Long getValue() {
        return get();
    }
}
