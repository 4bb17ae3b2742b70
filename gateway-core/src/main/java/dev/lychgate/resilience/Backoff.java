package dev.lychgate.resilience;

import dev.lychgate.config.RetryConfig;
import java.util.SplittableRandom;

/**
 * Computes the delay before a retry: a random time between zero and a bound that doubles with each attempt. Because the
 * delay is random, requests that failed together are not retried together.
 *
 * @param base the bound of the delay before the second attempt, in nanoseconds
 * @param max the maximum of the bound, in nanoseconds
 */
record Backoff(long base, long max) {

    public static Backoff of(RetryConfig.Backoff config) {
        return new Backoff(config.base().toNanos(), config.max().toNanos());
    }

    /**
     * Returns a delay, in nanoseconds.
     *
     * @param attempts number of attempts so far, at least 1
     */
    public long delay(int attempts, SplittableRandom random) {
        int doublings = Math.min(attempts - 1, 30);
        long longest = base > max >> doublings ? max : base << doublings;
        return random.nextLong(longest + 1);
    }
}
