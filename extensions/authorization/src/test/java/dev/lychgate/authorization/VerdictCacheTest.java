package dev.lychgate.authorization;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class VerdictCacheTest {
    private static final Verdict ALLOWED = new Verdict.Allowed(Map.of(), List.of());

    private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 10);

    private static VerdictCache.Digest key(long n) {
        return new VerdictCache.Digest(n, 0, 0, 0);
    }

    @Test
    void forgetsAVerdictAfterItsTime() {
        VerdictCache cache = new VerdictCache(List.of(), Duration.ofNanos(100), 4, now::get);
        cache.add(key(1), ALLOWED);
        now.addAndGet(99);
        assertThat(cache.find(key(1))).isEqualTo(ALLOWED);
        now.addAndGet(1);
        assertThat(cache.find(key(1))).isNull();
    }

    @Test
    void holdsAtMostItsEntries() {
        VerdictCache cache = new VerdictCache(List.of(), Duration.ofSeconds(1), 100, now::get);
        for (int i = 0; i < 1_000; i++) {
            cache.add(key(i), ALLOWED);
        }
        int found = 0;
        for (int i = 0; i < 1_000; i++) {
            found += cache.find(key(i)) == null ? 0 : 1;
        }
        assertThat(found).isBetween(50, 100);
        assertThat(cache.find(key(999))).isNotNull();
    }

    @Test
    void storesNoFailure() {
        VerdictCache cache = new VerdictCache(List.of(), Duration.ofSeconds(1), 4, now::get);
        cache.add(key(1), new Verdict.Missing("status 500"));
        assertThat(cache.find(key(1))).isNull();
    }
}
