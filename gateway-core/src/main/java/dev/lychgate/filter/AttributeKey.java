package dev.lychgate.filter;

/**
 * Names something that filters keep on an exchange for one another. Two keys of the same name and type are the same key;
 * with the same name and another type, they are not.
 *
 * @param name for people
 * @param type what is kept under it
 */
public record AttributeKey<T>(String name, Class<T> type) {
    public static <T> AttributeKey<T> of(String name, Class<T> type) {
        return new AttributeKey<>(name, type);
    }
}
