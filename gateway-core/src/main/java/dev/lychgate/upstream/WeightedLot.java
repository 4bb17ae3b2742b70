package dev.lychgate.upstream;

import java.util.ArrayDeque;
import java.util.SplittableRandom;

/**
 * Draws endpoints of a set at random, by their shares, in constant time. The alias method uses a table with one column
 * per endpoint and draws a column and a height. Below the threshold of the column, it selects the column's own
 * endpoint; above the threshold, it selects the other endpoint that the column contains.
 *
 * @see <a href="https://doi.org/10.1109/32.92917">Vose, A Linear Algorithm for Generating Random Numbers with a Given
 *     Distribution, 1991</a>
 */
final class WeightedLot {
    private static final int TRIES = 4;

    private final SplittableRandom random;
    private final double[] heights;
    private final int[] above;

    WeightedLot(EndpointSet set, SplittableRandom random) {
        int n = set.size();
        this.random = random;
        this.heights = new double[n];
        this.above = new int[n];
        ArrayDeque<Integer> small = new ArrayDeque<>();
        ArrayDeque<Integer> large = new ArrayDeque<>();
        for (int i = 0; i < n; i++) {
            heights[i] = set.share(i) * n;
            above[i] = i;
            (heights[i] < 1 ? small : large).add(i);
        }
        while (!small.isEmpty() && !large.isEmpty()) {
            int lower = small.remove();
            int higher = large.remove();
            above[lower] = higher;
            heights[higher] -= 1 - heights[lower];
            (heights[higher] < 1 ? small : large).add(higher);
        }
        // Rounding errors may leave some columns without a second endpoint. Such a column contains nothing but its own
        // endpoint.
        small.forEach(i -> heights[i] = 1);
        large.forEach(i -> heights[i] = 1);
    }

    int draw() {
        int column = random.nextInt(heights.length);
        return heights[column] >= 1 || random.nextDouble() < heights[column] ? column : above[column];
    }

    /**
     * Draws an endpoint other than {@code drawn}. An endpoint with a very small share may be drawn more often than its
     * share requires.
     */
    int drawBeside(int drawn) {
        for (int i = 0; i < TRIES; i++) {
            int other = draw();
            if (other != drawn) {
                return other;
            }
        }
        int other = random.nextInt(heights.length - 1);
        return other < drawn ? other : other + 1;
    }
}
