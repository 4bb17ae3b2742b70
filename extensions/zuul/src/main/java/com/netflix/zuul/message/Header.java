package com.netflix.zuul.message;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A header with its value. */
public final class Header {
    private final HeaderName name;
    private final String value;

    public Header(HeaderName name, String value) {
        this.name = Objects.requireNonNull(name);
        this.value = value;
    }

    public String getKey() {
        return name.getName();
    }

    public HeaderName getName() {
        return name;
    }

    public String getValue() {
        return value;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Header same && name.equals(same.name) && value.equals(same.value);
    }

    @Override
    public int hashCode() {
        return Objects.hash(name, value);
    }

    @Override
    public String toString() {
        return name + ": " + value;
    }
}
