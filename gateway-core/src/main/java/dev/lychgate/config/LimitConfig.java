package dev.lychgate.config;

/** A limit on concurrent attempts that adapts to the latency of responses. */
public record LimitConfig(Adaptive adaptive, int min, int max) {

    /** The rule that adapts the limit. */
    public enum Adaptive {
        /**
         * Adapts the limit to the estimated number of requests that are queued at the origin, as TCP Vegas does with
         * segments.
         */
        VEGAS
    }

    private static final Key<Adaptive> ADAPTIVE = Key.choice("adaptive", Adaptive.VEGAS)
            .about("the rule that adapts the limit, from the estimated number of requests that are queued at the "
                    + "origin");

    private static final Key<Integer> MIN = Key.number("min", 10)
            .unit("attempts")
            .between(1, 1_000_000)
            .about("the smallest limit, per process; the gateway goes below it only for a short time, to measure the "
                    + "latency of the origin without queued requests");
    private static final Key<Integer> MAX = Key.number("max", 1000)
            .unit("attempts")
            .between(1, 1_000_000)
            .about("the largest limit, per process; at least `min`");

    static final Keys<LimitConfig> KEYS = Keys.of(LimitConfig::new, ADAPTIVE, MIN, MAX);

    public static final LimitConfig DEFAULT = KEYS.defaults();

    public LimitConfig {
        KEYS.check(adaptive, min, max);
        Expect.that(max >= min, "max", max, ">= min " + min);
    }
}
