package dev.lychgate.redis;

import dev.lychgate.config.Keys;
import dev.lychgate.extension.ContributedFilter;
import dev.lychgate.extension.Extension;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The extension {@code redis}. Generations with the same settings share a store, so that a reload keeps connections and
 * leases.
 */
public final class Redis implements Extension<RedisSettings, RedisStore> {
    private final AtomicReference<@Nullable RedisStore> newest = new AtomicReference<>();

    @Override
    public Keys<RedisSettings> keys() {
        return RedisSettings.KEYS;
    }

    @Override
    public List<ContributedFilter<RedisStore, ?>> filters() {
        return List.of();
    }

    @Override
    public RedisStore open(RedisSettings settings) {
        Access access = Access.read(settings);
        RedisStore current = newest.get();
        if (current != null && current.isOf(access)) {
            return current;
        }
        RedisStore opened = new RedisStore(access);
        newest.set(opened);
        return opened;
    }
}
