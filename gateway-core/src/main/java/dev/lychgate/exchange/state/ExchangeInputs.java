package dev.lychgate.exchange.state;

import java.time.Instant;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/**
 * The time and the random numbers of one exchange. Two exchanges with equal inputs give filters equal values. The
 * generator is not thread-safe; filters of an exchange run one at a time.
 */
public final class ExchangeInputs {
    private final Instant time;
    private final long seed;
    private final SplittableRandom random;

    /** @param time the arrival of the request @param seed the seed of the random numbers */
    public ExchangeInputs(Instant time, long seed) {
        this.time = time;
        this.seed = seed;
        this.random = new SplittableRandom(seed);
    }

    /** Returns the arrival of the request by the wall clock. */
    public Instant time() {
        return time;
    }

    public long seed() {
        return seed;
    }

    /** Returns the generator of all filters of the exchange. Its numbers are predictable and unfit for secrets. */
    public RandomGenerator random() {
        return random;
    }
}
