package dev.lychgate.server.push;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/**
 * How long to wait after a try that failed: doubled with each failure in a row up to a bound, shortened at random by up
 * to a half so that many gateways don't come back together. For one thread.
 */
final class BackOff {
    private final long first;
    private final long most;
    private final Duration mostAsked;
    private long next;

    /**
     * @param first after the first failure
     * @param most never longer by itself
     * @param mostAsked never longer though the receiver asks for it
     */
    BackOff(Duration first, Duration most, Duration mostAsked) {
        this.first = first.toNanos();
        this.most = most.toNanos();
        this.mostAsked = mostAsked;
        this.next = this.first;
    }

    /** A second, doubled to half a minute; what a receiver asks for is granted up to a minute. */
    static BackOff usual() {
        return new BackOff(Duration.ofSeconds(1), Duration.ofSeconds(30), Duration.ofMinutes(1));
    }

    /** @param asked how long the receiver wants to be left alone; zero if it did not say @return nanoseconds */
    long pause(Duration asked) {
        long own = next / 2 + ThreadLocalRandom.current().nextLong(next / 2 + 1);
        next = Math.min(most, next * 2);
        Duration granted = asked.compareTo(mostAsked) > 0 ? mostAsked : asked;
        return Math.max(own, granted.toNanos());
    }

    /** It works again. */
    void reset() {
        next = first;
    }
}
