package com.netflix.config;

/** A number property. */
public class DynamicDoubleProperty extends PropertyText {
    private final double otherwise;

    /** @param otherwise the value while the property is not set, or its text is malformed */
    public DynamicDoubleProperty(String name, double otherwise) {
        super(name);
        this.otherwise = otherwise;
    }

    public double get() {
        return parsed(otherwise, Double::valueOf);
    }

    public Double getValue() {
        return get();
    }
}
