package com.netflix.config;

import java.util.Locale;

/** A property whose value is true or false. */
public class DynamicBooleanProperty extends PropertyText<Boolean> {
    private final boolean absent;

    /** @param otherwise the value while the property is not set, or its text is malformed */
    public DynamicBooleanProperty(String name, boolean otherwise) {
        super(name, otherwise);
        this.absent = otherwise;
    }

    public boolean get() {
        return parsed(absent, DynamicBooleanProperty::flag);
    }

    @Override
    public Boolean getValue() {
        return get();
    }

    private static Boolean flag(String text) {
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "true", "yes", "on", "t", "y" -> true;
            case "false", "no", "off", "f", "n" -> false;
            default -> throw new IllegalArgumentException(text);
        };
    }
}
