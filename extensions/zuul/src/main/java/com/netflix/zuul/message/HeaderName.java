package com.netflix.zuul.message;

import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The name of a header. Names are equal regardless of case. */
public final class HeaderName {
    private final String name;
    private final String normalised;

    public HeaderName(String name) {
        this.name = Objects.requireNonNull(name);
        this.normalised = name.toLowerCase(Locale.ROOT);
    }

    public String getName() {
        return name;
    }

    /** Returns the name in lower case. */
    public String getNormalised() {
        return normalised;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof HeaderName same && normalised.equals(same.normalised);
    }

    @Override
    public int hashCode() {
        return normalised.hashCode();
    }

    @Override
    public String toString() {
        return name;
    }
}
