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

    /** @param callback does not run, see {@link DynamicBooleanProperty#addCallback} */
    public DynamicBooleanProperty getBooleanProperty(String name, boolean otherwise, Runnable callback) {
        return getBooleanProperty(name, otherwise);
    }

    /** @param callback does not run, see {@link DynamicIntProperty#addCallback} */
    public DynamicIntProperty getIntProperty(String name, int otherwise, Runnable callback) {
        return getIntProperty(name, otherwise);
    }

    /** @param callback does not run, see {@link DynamicLongProperty#addCallback} */
    public DynamicLongProperty getLongProperty(String name, long otherwise, Runnable callback) {
        return getLongProperty(name, otherwise);
    }

    /** @param callback does not run, see {@link DynamicFloatProperty#addCallback} */
    public DynamicFloatProperty getFloatProperty(String name, float otherwise, Runnable callback) {
        return getFloatProperty(name, otherwise);
    }

    /** @param callback does not run, see {@link DynamicDoubleProperty#addCallback} */
    public DynamicDoubleProperty getDoubleProperty(String name, double otherwise, Runnable callback) {
        return getDoubleProperty(name, otherwise);
    }

    /** @param callback does not run, see {@link DynamicStringProperty#addCallback} */
    public DynamicStringProperty getStringProperty(String name, @Nullable String otherwise, Runnable callback) {
        return getStringProperty(name, otherwise);
    }
}
