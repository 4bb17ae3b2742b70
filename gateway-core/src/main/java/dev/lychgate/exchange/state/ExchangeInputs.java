package dev.lychgate.exchange.state;

import java.time.Instant;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/**
 * The time and the random numbers that filters of one exchange use. In two exchanges with equal inputs, filters get
 * equal values. The generator is not thread-safe, but the filters of an exchange run one at a time.
 */
public final class ExchangeInputs {
    private final Instant time;
    private final long seed;
    private final SplittableRandom random;

    /**
     * Creates the inputs of an exchange.
     *
     * @param time the time at which the request arrived
     * @param seed the seed of the random numbers
     */
    public ExchangeInputs(Instant time, long seed) {
        this.time = time;
        this.seed = seed;
        this.random = new SplittableRandom(seed);
    }

    /** Returns the time at which the request arrived, by the wall clock. */
    public Instant time() {
        return time;
    }

    public long seed() {
        return seed;
    }

    /**
     * Returns the random generator that all filters of the exchange share. Its numbers are predictable, so they must
     * not be used for secrets.
     */
    public RandomGenerator random() {
        return random;
    }
}
