package dev.lychgate.config;

import static dev.lychgate.config.Key.duration;
import static dev.lychgate.config.Key.percent;

import java.time.Duration;

/**
 * When the gateway itself has too much to do it refuses requests of low priority. Each measure begins at its threshold
 * with priority 0 alone; the further it rises, the higher the priorities that are refused. Priority 9 never is.
 */
public record SheddingConfig(Duration lag, Percent directMemory, Percent heap) {
    private static final Key<Duration> LAG = duration("lag", "200ms")
            .atLeast("20ms")
            .about("how late an event loop is; all but priority 9 are refused at five times that");

    private static final Key<Percent> DIRECT_MEMORY = percent("direct-memory", "90%")
            .between("10%", "99%")
            .about("direct memory in use; all but priority 9 are refused at 100%");
    private static final Key<Percent> HEAP = percent("heap", "95%")
            .between("10%", "99%")
            .about("heap in use after a collection; all but priority 9 are refused at 100%");

    public static final SheddingConfig DEFAULT = read(Key.DEFAULTS);

    public SheddingConfig {
        LAG.check(lag);
        DIRECT_MEMORY.check(directMemory);
        HEAP.check(heap);
    }

    /** Reads a section. */
    static SheddingConfig read(Key.Values values) {
        return new SheddingConfig(values.get(LAG), values.get(DIRECT_MEMORY), values.get(HEAP));
    }
}
