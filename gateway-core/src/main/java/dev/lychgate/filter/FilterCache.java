package dev.lychgate.filter;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A cache with a bounded number of entries and bytes. Thread-safe. Reading does not block. A write acquires a lock for
 * a short time if the removal of old entries has fallen behind. The duration of {@link #clear} grows with the number of
 * entries.
 *
 * @param <V> the class of the values, a class of the JDK
 */
public interface FilterCache<V> {
    /** Returns the value of a key; null if there is no value, or if it has expired. */
    @Nullable
    V get(String key);

    /**
     * Adds or replaces the value of a key.
     *
     * @throws IllegalArgumentException if the class of the value comes from the filter directory: the cache would then
     *     keep the whole generation that loaded this class in memory
     */
    void put(String key, V value);

    /** Removes the value of a key, if there is one. */
    void remove(String key);

    /** Removes all values. */
    void clear();

    /** Returns the approximate number of entries. */
    long size();

    /**
     * The bounds of a cache.
     *
     * @param entries the maximum number of entries
     * @param bytes the maximum estimated size of all keys and values, in bytes
     * @param ttl the time after which an entry expires; null if entries do not expire
     */
    record Bounds(long entries, long bytes, @Nullable Duration ttl) {
        /** The default: 10,000 entries and 16 MiB, without expiry. */
        public static final Bounds DEFAULT = new Bounds(10_000, 16 << 20, null);

        public Bounds {
            if (entries < 1 || bytes < 1 || (ttl != null && (ttl.isZero() || ttl.isNegative()))) {
                throw new IllegalArgumentException("the bounds of a cache are out of range: entries=" + entries
                        + ", bytes=" + bytes + ", ttl=" + ttl + " (expected: each > 0)");
            }
        }

        public Bounds entries(long most) {
            return new Bounds(most, bytes, ttl);
        }

        public Bounds bytes(long most) {
            return new Bounds(entries, most, ttl);
        }

        public Bounds ttl(Duration limit) {
            return new Bounds(entries, bytes, limit);
        }
    }
}
