package dev.lychgate.config;

/**
 * A limit on concurrent attempts that finds its own height from how long answers take.
 */
public record LimitConfig(Adaptive adaptive, int min, int max) {

    /** How the height is found. */
    public enum Adaptive {
        /** From how many requests seem to wait at the origin, as TCP Vegas does with segments. */
        VEGAS
    }

    private static final Key<Adaptive> ADAPTIVE = Key.choice("adaptive", Adaptive.VEGAS)
            .about("by which rule: from how many requests seem to wait at the origin");

    private static final Key<Integer> MIN = Key.number("min", 10)
            .unit("attempts")
            .between(1, 1_000_000)
            .about("never lower, per process, but for the moments in which it takes its measure anew");
    private static final Key<Integer> MAX = Key.number("max", 1000)
            .unit("attempts")
            .between(1, 1_000_000)
            .about("never higher, per process; at least `min`");

    static final Keys<LimitConfig> KEYS = Keys.of(LimitConfig::new, ADAPTIVE, MIN, MAX);

    public static final LimitConfig DEFAULT = KEYS.defaults();

    public LimitConfig {
        KEYS.check(adaptive, min, max);
        Expect.that(max >= min, "max", max, ">= min " + min);
    }
}
