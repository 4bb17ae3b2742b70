package dev.lychgate.config;

/**
 * The limit on concurrent exchanges of a route, or on concurrent attempts of an upstream. Requests beyond the limit are
 * rejected immediately and never queued.
 */
public record BulkheadConfig(int concurrent) {
    private static final Key<Integer> CONCURRENT = Key.number("concurrent", 1)
            .between(1, 1_000_000)
            .required("a whole number, 1 or more")
            .about("the limit per process; each event loop has a part of it, see `upstreams.*.pool`");

    static final Keys<BulkheadConfig> KEYS = Keys.of(BulkheadConfig::new, CONCURRENT);

    public BulkheadConfig {
        CONCURRENT.check(concurrent);
    }
}
