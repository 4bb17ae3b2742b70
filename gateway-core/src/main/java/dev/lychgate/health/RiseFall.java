package dev.lychgate.health;

/**
 * Hysteresis for the results of one endpoint's checks: several consecutive results of the same kind change the health
 * of the endpoint. A single result suffices only if it is the first one. Used by one thread only.
 */
final class RiseFall {
    private final int rise;
    private final int fall;
    private boolean known;
    private boolean healthy = true;
    private int against;

    /**
     * @param rise consecutive good results that make an unhealthy endpoint healthy; at least 1
     * @param fall consecutive bad results that make a healthy endpoint unhealthy; at least 1
     */
    RiseFall(int rise, int fall) {
        this.rise = rise;
        this.fall = fall;
    }

    /**
     * Adds a result.
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
