package dev.lychgate.server.push;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The pause after a failed attempt. The pause doubles with each consecutive failure up to a bound. A random time of up
 * to half the pause is subtracted, so that gateways do not all return at the same time. For one thread.
 */
final class BackOff {
    private final long first;
    private final long most;
    private final Duration mostAsked;
    private long next;

    /**
     * @param first pause after the first failure
     * @param most maximum of the gateway's own pauses
     * @param mostAsked maximum of pauses requested by the receiver
     */
    BackOff(Duration first, Duration most, Duration mostAsked) {
        this.first = first.toNanos();
        this.most = most.toNanos();
        this.mostAsked = mostAsked;
        this.next = this.first;
    }

    /**
     * Returns a back-off that starts at a second and doubles up to half a minute. If a receiver requests a pause, that
     * pause is observed up to a minute.
     */
    static BackOff usual() {
        return new BackOff(Duration.ofSeconds(1), Duration.ofSeconds(30), Duration.ofMinutes(1));
    }

    /** @param asked pause that the receiver requested; zero if none @return the pause in nanoseconds */
    long pause(Duration asked) {
        long own = next / 2 + ThreadLocalRandom.current().nextLong(next / 2 + 1);
        next = Math.min(most, next * 2);
        Duration granted = asked.compareTo(mostAsked) > 0 ? mostAsked : asked;
        return Math.max(own, granted.toNanos());
    }

    /** Resets the pause. Called after a success. */
    void reset() {
        next = first;
    }
}
