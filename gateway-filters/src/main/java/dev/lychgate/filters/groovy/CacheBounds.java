package dev.lychgate.filters.groovy;

import dev.lychgate.config.ByteSize;
import dev.lychgate.config.Durations;
import dev.lychgate.filter.FilterCache.Bounds;
import java.time.Duration;
import java.util.function.Function;

/** Reads the limits of a cache that a script declares. */
final class CacheBounds {
    private CacheBounds() {}

    /**
     * Returns {@code bounds} with the limit {@code name} set to {@code value}.
     *
     * @param cache the name of the cache, for messages
     * @throws IllegalArgumentException if the limit is unknown, or the value is malformed or out of range
     */
    static Bounds with(Bounds bounds, String cache, String name, Object value) {
        String place = "cache '" + cache + "': " + name;
        return switch (name) {
            case "entries" -> {
                if (!(value instanceof Number number)) {
                    throw new IllegalArgumentException(place + ": " + value + " (expected: a whole number)");
                }
                yield bounds.entries(number.longValue());
            }
            case "bytes" ->
                bounds.bytes((value instanceof ByteSize size ? size : parsed(place, value, ByteSize::parse)).bytes());
            case "ttl" -> bounds.ttl(value instanceof Duration ttl ? ttl : parsed(place, value, Durations::parse));
            default -> throw new IllegalArgumentException(place + " (expected: entries, bytes, ttl)");
        };
    }

    private static <T> T parsed(String place, Object value, Function<String, T> parser) {
        try {
            return parser.apply(value.toString());
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(place + ": " + value + " (expected: " + e.getMessage() + ")", e);
        }
    }
}
