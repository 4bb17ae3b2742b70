package dev.lychgate.health;

/**
 * Derives the health of one endpoint from the results of its checks. The first result determines the health. After
 * that, the health changes only after several consecutive results that contradict it. Used by one thread only.
 */
final class RiseFall {
    private final int rise;
    private final int fall;
    private boolean known;
    private boolean healthy = true;
    private int against;

    /**
     * Creates the state of an endpoint without any results.
     *
     * @param rise consecutive good results that make an unhealthy endpoint healthy; at least 1
     * @param fall consecutive bad results that make a healthy endpoint unhealthy; at least 1
     */
    RiseFall(int rise, int fall) {
        this.rise = rise;
        this.fall = fall;
    }

    /**
     * Adds the result of a check.
     *
     * @return whether the result changed {@link #isHealthy()}, or is the first result
     */
    boolean add(boolean good) {
        if (!known) {
            known = true;
            healthy = good;
            return true;
        }
        if (good == healthy) {
            against = 0;
            return false;
        }
        against++;
        if (against < (healthy ? fall : rise)) {
            return false;
        }
        against = 0;
        healthy = good;
        return true;
    }

    boolean isKnown() {
        return known;
    }

    /** Returns whether the endpoint is healthy; true before the first result. */
    boolean isHealthy() {
        return healthy;
    }
}
