package dev.lychgate.filter;

import org.jspecify.annotations.Nullable;

/**
 * A JSON value of a body, see {@link FilterMessage#eachJson}. An unchanged value is forwarded byte for byte. This
 * object is unusable after the action of {@code eachJson} has returned.
 */
public interface JsonItem {
    /**
     * Returns the value: a {@code Map}, {@code List}, {@code String}, {@code Boolean}, {@code Long}, {@code
     * BigInteger}, {@code BigDecimal}, or null. A map keeps the order of the members. Changes to a map or a list change
     * the body.
     */
    @Nullable
    Object getValue();

    /** Replaces the value. The gateway writes the new value as JSON as {@link FilterCall#json} describes. */
    void setValue(@Nullable Object value);

    /** Drops the value: the gateway does not forward it. */
    void drop();

    /** Inserts a value before this value. Several calls insert their values in the order of the calls. */
    void insertBefore(@Nullable Object value);

    /** Inserts a value after this value. Several calls insert their values in the order of the calls. */
    void insertAfter(@Nullable Object value);
}
