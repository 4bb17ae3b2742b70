package dev.lychgate.http2;

import java.util.concurrent.TimeUnit;

/**
 * Token bucket that limits costly actions of a peer. Each action takes a token, and tokens are added at a fixed rate
 * per second.
 */
final class Allowance {
    private final double most;
    private final double perNano;
    private double left;
    private long asOf;

    /**
     * Creates a full bucket. {@code most} is the maximum number of tokens; {@code perSecond} tokens are added each
     * second.
     */
    Allowance(double most, double perSecond, long now) {
        this.most = most;
        this.perNano = perSecond / TimeUnit.SECONDS.toNanos(1);
        this.left = most;
        this.asOf = now;
    }

    /**
     * Takes one token.
     *
     * @return whether a token was left
     */
    boolean take(long now) {
        left = Math.min(most, left + Math.max(0, now - asOf) * perNano);
        asOf = now;
        left -= 1;
        return left >= 0;
    }

    /** Adds {@code n} tokens, up to the maximum number of tokens. */
    void give(int n) {
        left = Math.min(most, left + n);
    }
}
