package dev.lychgate.pool;

/** Deals out a limit that nobody waits for to the event loops. Any thread. */
public final class PermitShares {
    private final int total;
    private final int loops;
    private final SharedPermits shared;

    /**
     * @param total the limit of the process
     * @param loops how many event loops there are
     */
    public PermitShares(int total, int loops) {
        this.total = total;
        this.loops = loops;
        this.shared = new SharedPermits(total);
    }

    /** The share of one loop; to be asked for once for each. */
    public Permits forLoop() {
        return total >= loops ? new LocalPermits(total, loops) : shared;
    }
}
