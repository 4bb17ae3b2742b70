package dev.lychgate.config;

/**
 * How much may be under way at once; what comes beyond is refused at once, and nothing waits.
 */
public record BulkheadConfig(int concurrent) {
    private static final Key<Integer> CONCURRENT = Key.number("concurrent", 1)
            .between(1, 1_000_000)
            .required("a whole number, 1 or more")
            .about("per process; counted per event loop as `upstreams.*.pool` says");

    static final Keys<BulkheadConfig> KEYS = Keys.of(BulkheadConfig::new, CONCURRENT);

    public BulkheadConfig {
        CONCURRENT.check(concurrent);
    }
}
