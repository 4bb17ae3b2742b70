package dev.lychgate.config;

/**
 * How much may be under way at once; what comes beyond is refused at once, and nothing waits.
 *
 * @param concurrent attempts (of an upstream) or exchanges (of a route) per process; dealt out to the event loops: N over
 *     L loops is N/L each, rounded up; a number smaller than L is one shared count
 */
public record BulkheadConfig(int concurrent) {
    public BulkheadConfig {
        Expect.between(1, 1_000_000, "concurrent", concurrent);
    }
}
