package dev.lychgate.config;

import java.time.Duration;

/**
 * When the gateway itself has too much to do it refuses requests of low priority. Each measure begins at its threshold
 * with priority 0 alone; the further it rises, the higher the priorities that are refused. Priority 9 never is.
 */
public record SheddingConfig(Duration lag, Percent directMemory, Percent heap) {
    private static final Key<Duration> LAG = Key.duration("lag", "200ms")
            .atLeast("20ms")
            .about("how late an event loop is; all but priority 9 are refused at five times that");

    private static final Key<Percent> DIRECT_MEMORY = Key.percent("direct-memory", "90%")
            .between("10%", "99%")
            .about("direct memory in use; all but priority 9 are refused at 100%");
    private static final Key<Percent> HEAP = Key.percent("heap", "95%")
            .between("10%", "99%")
            .about("heap in use after a collection; all but priority 9 are refused at 100%");

    static final Keys<SheddingConfig> KEYS = Keys.of(SheddingConfig::new, LAG, DIRECT_MEMORY, HEAP);

    public static final SheddingConfig DEFAULT = KEYS.defaults();

    public SheddingConfig {
        KEYS.check(lag, directMemory, heap);
    }
}
