package dev.lychgate.server.push;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The pause after a failed attempt. The pause doubles with each consecutive failure up to a bound. A random time of up
 * to half the pause is subtracted, so that gateways do not all retry at the same time. Not thread-safe.
 */
public final class BackOff {
    private final long first;
    private final long most;
    private final Duration mostAsked;
    private long next;

    /**
     * @param first pause after the first failure
     * @param most maximum of the pauses that this object computes
     * @param mostAsked maximum of the pauses that the receiver requests
     */
    public BackOff(Duration first, Duration most, Duration mostAsked) {
        this.first = first.toNanos();
        this.most = most.toNanos();
        this.mostAsked = mostAsked;
        this.next = this.first;
    }

    /**
     * Returns a back-off with pauses that start at a second and double up to half a minute. If a receiver requests a
     * pause, the back-off uses this pause, but at most a minute.
     */
    static BackOff usual() {
        return new BackOff(Duration.ofSeconds(1), Duration.ofSeconds(30), Duration.ofMinutes(1));
    }

    /**
     * Returns the next pause.
     *
     * @param asked pause that the receiver requested; zero if none
     * @return the pause in nanoseconds
     */
    public long pause(Duration asked) {
        long own = next / 2 + ThreadLocalRandom.current().nextLong(next / 2 + 1);
        next = Math.min(most, next * 2);
        Duration granted = asked.compareTo(mostAsked) > 0 ? mostAsked : asked;
        return Math.max(own, granted.toNanos());
    }

    /** Resets the pause. To be called after a success. */
    public void reset() {
        next = first;
    }
}
