package dev.lychgate.filter;

import java.util.Objects;

/**
 * Names something that filters keep on an exchange for one another. Two keys of the same name and type are the same key;
 * with the same name and another type, they are not.
 *
 * @param name for people
 * @param type what is kept under it
 */
public record AttributeKey<T>(String name, Class<T> type) {
    public AttributeKey {
        Objects.requireNonNull(name, "a key without a name");
        Objects.requireNonNull(type, "a key without a type");
    }

    public static <T> AttributeKey<T> of(String name, Class<T> type) {
        return new AttributeKey<>(name, type);
    }
}
