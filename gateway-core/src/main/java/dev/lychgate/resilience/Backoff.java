package dev.lychgate.resilience;

import dev.lychgate.config.RetryConfig;
import java.util.SplittableRandom;

/**
 * How long to wait before an attempt: between nothing and a time that doubles with each, all lengths being equally likely.
 * Those who failed together do not come back together.
 *
 * @param base the longest wait before the second attempt, in nanoseconds
 * @param max the longest wait at all, in nanoseconds
 */
record Backoff(long base, long max) {

    public static Backoff of(RetryConfig.Backoff config) {
        return new Backoff(config.base().toNanos(), config.max().toNanos());
    }

    /** The wait. @param attempts how many there have been, 1 or more */
    public long delay(int attempts, SplittableRandom random) {
        int doublings = Math.min(attempts - 1, 30);
        long longest = base > max >> doublings ? max : base << doublings;
        return random.nextLong(longest + 1);
    }
}
