package com.netflix.config;

/** A property whose value is a {@code double}. */
public class DynamicDoubleProperty extends PropertyText<Double> {
    private final double absent;

    /** @param otherwise the value while the property is not set, or its text is malformed */
    public DynamicDoubleProperty(String name, double otherwise) {
        super(name, otherwise);
        this.absent = otherwise;
    }

    public double get() {
        return parsed(absent, Double::valueOf);
    }

    @Override
    public Double getValue() {
        return get();
    }
}
