package dev.lychgate.exchange.state;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The inputs of one exchange's filters that are not part of the request: the time, the random numbers and the
 * brown-outs of upstreams. In a replay with equal inputs, filters get equal values. Not thread-safe: the filters of an
 * exchange run one at a time.
 */
public final class ExchangeInputs {
    private final Instant time;
    private final long seed;
    private final SplittableRandom random;
    /** The upstreams with a brown-out in a recorded exchange; null if this exchange is not a replay. */
    private final @Nullable Set<String> recorded;

    /** The values that filters have read, by upstream; null before the first value. */
    private @Nullable Map<String, Boolean> brownouts;

    /**
     * Creates the inputs of an exchange.
     *
     * @param time the time at which the request arrived
     * @param seed the seed of the random numbers
     */
    public ExchangeInputs(Instant time, long seed) {
        this(time, seed, null);
    }

    /**
     * Creates the inputs of the replay of a recorded exchange.
     *
     * @param brownouts the upstreams with a brown-out
     */
    public ExchangeInputs(Instant time, long seed, @Nullable Set<String> brownouts) {
        this.time = time;
        this.seed = seed;
        this.random = new SplittableRandom(seed);
        this.recorded = brownouts;
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

    /**
     * Returns whether exchanges with an upstream should cost less than usual. The first result for an upstream is kept
     * for the whole exchange, so that all filters of the exchange get the same value.
     *
     * @param current returns whether exchanges with an upstream should cost less at present
     */
    public boolean isBrownout(String upstream, Predicate<String> current) {
        Map<String, Boolean> read = brownouts;
        if (read == null) {
            read = new LinkedHashMap<>(2);
            brownouts = read;
        }
        return read.computeIfAbsent(upstream, recorded == null ? current::test : recorded::contains);
    }

    /** Returns the upstreams for which {@link #isBrownout} has returned true. */
    public List<String> brownouts() {
        return brownouts == null
                ? List.of()
                : brownouts.entrySet().stream()
                        .filter(Map.Entry::getValue)
                        .map(Map.Entry::getKey)
                        .toList();
    }
}
