package dev.lychgate.http2;

import java.util.concurrent.TimeUnit;

/** How often a peer may do something that costs us more than him: so many times at once, and so many per second. */
final class Allowance {
    private final double most;
    private final double perNano;
    private double left;
    private long asOf;

    /** @param most how many at once; @param perSecond how many come back per second */
    Allowance(double most, double perSecond, long now) {
        this.most = most;
        this.perNano = perSecond / TimeUnit.SECONDS.toNanos(1);
        this.left = most;
        this.asOf = now;
    }

    /** Takes one. @return whether there was one left */
    boolean take(long now) {
        left = Math.min(most, left + Math.max(0, now - asOf) * perNano);
        asOf = now;
        left -= 1;
        return left >= 0;
    }

    /** Gives back {@code n}. */
    void give(int n) {
        left = Math.min(most, left + n);
    }
}
