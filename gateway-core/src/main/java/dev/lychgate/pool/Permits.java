package dev.lychgate.pool;

/**
 * A share of a limit that is configured per process, as one event loop sees it. A limit of N over L loops is N/L for each,
 * rounded up, counted without any sharing; a limit smaller than L can't be divided and is one count that all loops share,
 * without locks. {@link PermitShares} deals them out.
 */
public interface Permits {
    /** Takes one, if there is one left. */
    boolean tryAcquire();

    /** Gives one back. */
    void release();
}
