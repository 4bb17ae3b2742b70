package com.netflix.util;

import java.io.Serializable;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Two values, such as the name and the value of a header. */
public class Pair<E1, E2> implements Serializable {
    private static final long serialVersionUID = 2L;

    @SuppressWarnings("serial")
    private E1 first;

    @SuppressWarnings("serial")
    private E2 second;

    public Pair(E1 first, E2 second) {
        this.first = first;
        this.second = second;
    }

    public E1 first() {
        return first;
    }

    public E2 second() {
        return second;
    }

    public void setFirst(E1 value) {
        first = value;
    }

    public void setSecond(E2 value) {
        second = value;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Pair<?, ?> pair
                && Objects.equals(first, pair.first)
                && Objects.equals(second, pair.second);
    }

    @Override
    public int hashCode() {
        return Objects.hash(first, second);
    }

    @Override
    public String toString() {
        return "(" + first + ", " + second + ")";
    }
}
