package com.netflix.config;

/** A property whose value is a {@code long}. */
public class DynamicLongProperty extends PropertyText<Long> {
    private final long absent;

    /** @param otherwise the value while the property is not set, or its text is malformed */
    public DynamicLongProperty(String name, long otherwise) {
        super(name, otherwise);
        this.absent = otherwise;
    }

    public long get() {
        return parsed(absent, Long::valueOf);
    }

    @Override
    public Long getValue() {
        return get();
    }
}
