package dev.lychgate.filters.state;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.lychgate.filter.FilterCache;
import java.util.Collection;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A cache of a filter, which is implemented by Caffeine. Maintenance runs on the common pool. If maintenance falls far
 * behind, {@link #put} does a part of the maintenance.
 *
 * <p>The weight of an entry is its estimated size in bytes, with a minimum. The minimum is chosen so that the limit on
 * the total weight also limits the number of entries.
 */
public final class BoundedCache<V> implements FilterCache<V> {
    /** The estimated size of an entry without its key and value, in bytes. */
    private static final long ENTRY = 100;

    private static final long OBJECT = 40;

    private final Bounds bounds;
    private final Cache<String, Object> cache;

    BoundedCache(Bounds bounds) {
        this.bounds = bounds;
        long least = Math.max(1, bounds.bytes() / bounds.entries());
        Caffeine<String, Object> builder = Caffeine.newBuilder()
                .maximumWeight(bounds.bytes())
                .weigher((String key, Object value) ->
                        (int) Math.min(Integer.MAX_VALUE, Math.max(least, ENTRY + weight(key, 0) + weight(value, 0))))
                .recordStats();
        this.cache = bounds.ttl() == null
                ? builder.build()
                : builder.expireAfterWrite(bounds.ttl()).build();
    }

    private static long weight(@Nullable Object value, int depth) {
        if (value instanceof CharSequence text) {
            return OBJECT + text.length();
        }
        if (value instanceof byte[] bytes) {
            return OBJECT + bytes.length;
        }
        if (value instanceof Map<?, ?> map) {
            return OBJECT + (depth > 8 ? 0 : weight(map.keySet(), depth + 1) + weight(map.values(), depth + 1));
        }
        if (value instanceof Collection<?> all) {
            long sum = OBJECT;
            for (Object each : all) {
                sum += depth > 8 ? OBJECT : weight(each, depth + 1);
            }
            return sum;
        }
        return OBJECT;
    }

    public Bounds bounds() {
        return bounds;
    }

    /** Returns the number of lookups that found a value. */
    public long hits() {
        return cache.stats().hitCount();
    }

    /** Returns the number of lookups that found no value. */
    public long misses() {
        return cache.stats().missCount();
    }

    /** Returns the number of entries that were removed because of a limit or because they had expired. */
    public long evictions() {
        return cache.stats().evictionCount();
    }

    @Override
    @SuppressWarnings("unchecked")
    public @Nullable V get(String key) {
        return (V) cache.getIfPresent(key);
    }

    @Override
    public void put(String key, V value) {
        Class<?> own = OwnTypes.in(value);
        if (own != null) {
            throw new IllegalArgumentException("a cache accepts only values of JDK classes, not of " + own.getName());
        }
        cache.put(key, value);
    }

    @Override
    public void remove(String key) {
        cache.invalidate(key);
    }

    @Override
    public void clear() {
        cache.invalidateAll();
    }

    @Override
    public long size() {
        return cache.estimatedSize();
    }
}
