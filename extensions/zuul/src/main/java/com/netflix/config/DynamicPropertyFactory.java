package com.netflix.config;

import org.jspecify.annotations.Nullable;

/** Creates dynamic properties. Each property returns the current value whenever it is read. */
public class DynamicPropertyFactory {
    private static final DynamicPropertyFactory INSTANCE = new DynamicPropertyFactory();

    public static DynamicPropertyFactory getInstance() {
        return INSTANCE;
    }

    public DynamicBooleanProperty getBooleanProperty(String name, boolean otherwise) {
        return new DynamicBooleanProperty(name, otherwise);
    }

    public DynamicIntProperty getIntProperty(String name, int otherwise) {
        return new DynamicIntProperty(name, otherwise);
    }

    public DynamicLongProperty getLongProperty(String name, long otherwise) {
        return new DynamicLongProperty(name, otherwise);
    }

    public DynamicFloatProperty getFloatProperty(String name, float otherwise) {
        return new DynamicFloatProperty(name, otherwise);
    }

    public DynamicDoubleProperty getDoubleProperty(String name, double otherwise) {
        return new DynamicDoubleProperty(name, otherwise);
    }

    public DynamicStringProperty getStringProperty(String name, @Nullable String otherwise) {
        return new DynamicStringProperty(name, otherwise);
    }
}
