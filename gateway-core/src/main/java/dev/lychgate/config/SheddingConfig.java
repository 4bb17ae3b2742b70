package dev.lychgate.config;

import java.time.Duration;

/**
 * The load shedding of an overloaded gateway, which rejects requests with low priority. When a measure reaches its
 * threshold, only requests with priority 0 are rejected. The further the measure exceeds its threshold, the more
 * priorities are rejected. Requests with priority 9 are never rejected.
 */
public record SheddingConfig(Duration lag, Percent directMemory, Percent heap) {
    private static final Key<Duration> LAG = Key.duration("lag", "200ms")
            .atLeast("20ms")
            .about("the lag of an event loop; at five times this lag, all priorities except 9 are rejected");

    private static final Key<Percent> DIRECT_MEMORY = Key.percent("direct-memory", "90%")
            .between("10%", "99%")
            .about("the direct memory in use; at 100%, all priorities except 9 are rejected");
    private static final Key<Percent> HEAP = Key.percent("heap", "95%")
            .between("10%", "99%")
            .about("the heap in use after a garbage collection; at 100%, all priorities except 9 are rejected");

    static final Keys<SheddingConfig> KEYS = Keys.of(SheddingConfig::new, LAG, DIRECT_MEMORY, HEAP);

    public static final SheddingConfig DEFAULT = KEYS.defaults();

    public SheddingConfig {
        KEYS.check(lag, directMemory, heap);
    }
}
