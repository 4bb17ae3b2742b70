package dev.lychgate.redis;

import dev.lychgate.testing.ExtensionTable;
import org.junit.jupiter.api.Test;

/** The settings on docs/redis.md. */
class ReferenceTest {
    @Test
    void theTableIsWhatTheKeysSay() throws Exception {
        ExtensionTable.requireOn("redis.md", "redis", new Redis());
    }
}
