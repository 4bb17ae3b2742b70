package dev.lychgate.filter;

import org.jspecify.annotations.Nullable;

/**
 * A JSON value of a body, see {@link FilterMessage#eachJson}. An unchanged value is passed on byte for byte. Not usable after the
 * action has returned.
 */
public interface JsonItem {
    /**
     * Returns the value: a {@code Map} in the order of its members, {@code List}, {@code String}, {@code Boolean}, {@code Long},
     * {@code BigInteger}, {@code BigDecimal}, or null. Changes of a map or a list change the body.
     */
    @Nullable
    Object getValue();

    /** Replaces the value: maps, iterables, arrays, numbers, booleans, null, and everything else as text. */
    void setValue(@Nullable Object value);

    /** Does not pass the value on. */
    void drop();

    /** Sends a value before this one, after those inserted earlier. */
    void insertBefore(@Nullable Object value);

    /** Sends a value after this one, after those inserted earlier. */
    void insertAfter(@Nullable Object value);
}
