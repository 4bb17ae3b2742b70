package dev.lychgate.filter;

import java.util.Objects;

/**
 * The key of a value that filters store on an exchange for other filters. Keys with the same name and type are equal.
 *
 * @param name the name; name and type together identify the key
 * @param type the type of the value
 */
public record AttributeKey<T>(String name, Class<T> type) {
    /**
     * Creates a key.
     *
     * @throws NullPointerException if name or type is null
     */
    public AttributeKey {
        Objects.requireNonNull(name, "the name of the key is null");
        Objects.requireNonNull(type, "the type of the key is null");
    }

    /** Returns the key with this name and type. */
    public static <T> AttributeKey<T> of(String name, Class<T> type) {
        return new AttributeKey<>(name, type);
    }
}
