package dev.lychgate.health;

/**
 * The results of one endpoint's checks, one after the other: it takes several of a kind in a row to change what is thought
 * of it, but for the first of all, which decides at once. For one thread.
 */
final class RiseFall {
    private final int rise;
    private final int fall;
    private boolean known;
    private boolean healthy = true;
    private int against;

    /**
     * @param rise how many good results make an unhealthy endpoint healthy; at least 1
     * @param fall how many bad results make a healthy endpoint unhealthy; at least 1
     */
    RiseFall(int rise, int fall) {
        this.rise = rise;
        this.fall = fall;
    }

    /** Another result. @return whether it has changed what {@link #isHealthy()} says, or is the first */
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

    /** Whether the endpoint is healthy; true before the first result. */
    boolean isHealthy() {
        return healthy;
    }
}
