package dev.lychgate.server.rollout;

import dev.lychgate.loop.DurationHistogram;
import java.util.SplittableRandom;
import java.util.function.DoubleUnaryOperator;

/** Draws durations from a distribution; many at once as precomputed histograms of {@value #DRAWN} independent ones. */
final class Latencies {
    private static final int DRAWN = 250;
    private static final int POOL = 1024;

    private final long[] table = new long[4096];
    private final DurationHistogram[] pool = new DurationHistogram[POOL];

    /** @param quantile milliseconds by probability */
    Latencies(DoubleUnaryOperator quantile) {
        for (int i = 0; i < table.length; i++) {
            table[i] = (long) (1e6 * quantile.applyAsDouble((i + 0.5) / table.length));
        }
        SplittableRandom random = new SplittableRandom(7);
        for (int i = 0; i < POOL; i++) {
            pool[i] = new DurationHistogram();
            draw(DRAWN - 1, pool[i], random);
            pool[i].record(one(random));
        }
    }

    /** A median of {@code median} milliseconds; {@code sigma} is the standard deviation of the logarithm. */
    static Latencies lognormal(double median, double sigma) {
        return new Latencies(p -> median * Math.exp(sigma * normal(p)));
    }

    /** Adds {@code millis} to the given share of all durations. */
    Latencies slower(double share, double millis) {
        SplittableRandom random = new SplittableRandom(11);
        return new Latencies(p -> table[(int) (p * table.length)] / 1e6 + (random.nextDouble() < share ? millis : 0));
    }

    private long one(SplittableRandom random) {
        return table[random.nextInt(table.length)];
    }

    void draw(long count, DurationHistogram into, SplittableRandom random) {
        long left = count;
        for (; left >= DRAWN; left -= DRAWN) {
            into.add(pool[random.nextInt(POOL)]);
        }
        for (; left > 0; left--) {
            into.record(one(random));
        }
    }

    /** The quantile of the normal distribution, by bisection. */
    private static double normal(double p) {
        double low = -8;
        double high = 8;
        for (int i = 0; i < 60; i++) {
            double mid = (low + high) / 2;
            if (cumulative(mid) < p) {
                low = mid;
            } else {
                high = mid;
            }
        }
        return low;
    }

    /** The normal distribution function, by its series. */
    private static double cumulative(double x) {
        double term = x;
        double sum = x;
        for (int i = 1; Math.abs(term) > 1e-16 && i < 300; i++) {
            term *= x * x / (2 * i + 1);
            sum += term;
        }
        return 0.5 + sum * Math.exp(-x * x / 2) / Math.sqrt(2 * Math.PI);
    }
}
