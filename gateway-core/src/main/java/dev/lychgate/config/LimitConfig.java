package dev.lychgate.config;

/**
 * A limit on concurrent attempts that finds its own height from how long answers take.
 *
 * @param adaptive by which rule; default vegas
 * @param min never lower, per process, but for the moments in which it takes its measure anew; default 10
 * @param max never higher, per process; default 1000
 */
public record LimitConfig(Adaptive adaptive, int min, int max) {
    public static final LimitConfig DEFAULT = new LimitConfig(Adaptive.VEGAS, 10, 1000);

    /** How the height is found. */
    public enum Adaptive {
        /** From how many requests seem to wait at the origin, as TCP Vegas does with segments. */
        VEGAS
    }

    public LimitConfig {
        Expect.between(1, 1_000_000, "min", min);
        Expect.that(max >= min && max <= 1_000_000, "max", max, "min " + min + " to 1000000");
    }
}
