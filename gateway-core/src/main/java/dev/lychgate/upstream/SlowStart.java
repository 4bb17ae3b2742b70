package dev.lychgate.upstream;

/**
 * How much of its weight an endpoint gets that has just come, or come back: caches are cold, code is not compiled yet, and
 * a herd that had waited for it would bring it down again. The share grows evenly from a tenth to all, in steps, so that
 * tables need not be built anew all the time.
 */
final class SlowStart {
    private static final int STEPS = 20;
    private static final double LEAST = 0.1;

    private SlowStart() {}

    /**
     * The share of its weight, {@value #LEAST} to 1.
     *
     * @param elapsed how long it has been fit for use
     * @param window when it gets all of it; 0 = at once
     */
    static double factor(long elapsed, long window) {
        return elapsed >= window ? 1 : Math.max(LEAST, (double) step(elapsed, window) / STEPS);
    }

    /** How long until the share grows again; {@link Long#MAX_VALUE} if it does not. */
    static long untilNextStep(long elapsed, long window) {
        return elapsed >= window ? Long.MAX_VALUE : (step(elapsed, window) + 1) * length(window) - elapsed;
    }

    private static long step(long elapsed, long window) {
        return Math.max(0, elapsed) / length(window);
    }

    private static long length(long window) {
        return Math.max(1, window / STEPS);
    }
}
