package dev.lychgate.config;

import java.time.Duration;

/**
 * When the gateway itself has too much to do it refuses requests of low priority. Each measure begins at its threshold
 * with priority 0 alone; the further it rises, the higher the priorities that are refused. Priority 9 never is.
 *
 * @param lag how late an event loop is; all but priority 9 are refused at five times that; default 200ms
 * @param directMemory share of the direct memory that is in use; all but priority 9 at 100%; default 90%
 * @param heap share of the heap that is in use after a collection; all but priority 9 at 100%; default 95%
 */
public record SheddingConfig(Duration lag, Percent directMemory, Percent heap) {
    public static final SheddingConfig DEFAULT =
            new SheddingConfig(Duration.ofMillis(200), new Percent(90), new Percent(95));

    public SheddingConfig {
        Expect.that(lag.toMillis() >= 20, "lag", Durations.print(lag), ">= 20ms");
        share("direct-memory", directMemory);
        share("heap", heap);
    }

    private static void share(String key, Percent share) {
        Expect.that(share.value() >= 10 && share.value() < 100, key, share, "10% to 99%");
    }
}
