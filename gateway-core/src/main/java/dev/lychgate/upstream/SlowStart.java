package dev.lychgate.upstream;

/**
 * Reduces the weight of an endpoint that is new or has recovered, because its caches are empty, its code is not
 * compiled yet, and waiting clients could overload it again. The weight grows linearly from a tenth to the full weight.
 * It grows in steps, so that the tables of balancing algorithms are rebuilt less often.
 */
final class SlowStart {
    private static final int STEPS = 20;
    private static final double LEAST = 0.1;

    private SlowStart() {}

    /**
     * Returns the factor by which the endpoint's weight is multiplied, from {@value #LEAST} to 1.
     *
     * @param elapsed the time for which the endpoint has been usable
     * @param window the duration of the slow start, in the unit of {@code elapsed}; 0 if there is no slow start
     */
    static double factor(long elapsed, long window) {
        return elapsed >= window ? 1 : Math.max(LEAST, (double) step(elapsed, window) / STEPS);
    }

    /** Returns the time until the factor grows again; {@link Long#MAX_VALUE} if it does not grow any more. */
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
