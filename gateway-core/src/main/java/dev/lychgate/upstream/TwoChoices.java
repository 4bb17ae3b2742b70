package dev.lychgate.upstream;

import java.util.SplittableRandom;
import java.util.function.LongSupplier;

/**
 * Draws two endpoints at random, by weight, and selects the better of the two. The result is nearly as good as a
 * comparison of all endpoints, and avoids the herd effect: if many event loops and gateways compared all endpoints,
 * they would all select the best endpoint at the same time. On a tie, the endpoint that was drawn first is selected, so
 * that the weights determine the distribution at low load.
 *
 * @see <a href="https://doi.org/10.1109/71.963420">Mitzenmacher, The Power of Two Choices in Randomized Load Balancing,
 *     2001</a>
 */
final class TwoChoices extends BalancingPolicy {
    private final EndpointLoad[] loads;
    private final WeightedLot lot;
    private final Comparison comparison;

    private interface Comparison {
        /**
         * Returns whether {@code other} is a better choice than {@code one}.
         *
         * @param share the share of the traffic that {@code one} should get
         */
        boolean isOtherBetter(EndpointLoad one, double share, EndpointLoad other, double otherShare);
    }

    /**
     * Creates an algorithm that compares two endpoints with {@code comparison}.
     *
     * @param loads the loads of the endpoints, in the order of the set
     */
    private TwoChoices(EndpointSet set, EndpointLoad[] loads, SplittableRandom random, Comparison comparison) {
        super(set);
        this.loads = loads;
        this.lot = new WeightedLot(set, random);
        this.comparison = comparison;
    }

    /**
     * Creates an algorithm that selects the endpoint with fewer requests in progress, in relation to its share. An
     * endpoint that has just failed is not selected, because an endpoint that refuses all requests has none in
     * progress.
     *
     * @param clock nanoseconds
     */
    static TwoChoices leastRequests(
            EndpointSet set, EndpointLoad[] loads, SplittableRandom random, LongSupplier clock) {
        return new TwoChoices(set, loads, random, (one, share, other, otherShare) -> {
            boolean failed = one.hasJustFailed(clock);
            return failed != other.hasJustFailed(clock)
                    ? failed
                    : other.outstanding() * share < one.outstanding() * otherShare;
        });
    }

    /**
     * Creates an algorithm that selects the endpoint with the lower {@link EndpointLoad#cost}: the response latency,
     * multiplied by the number of requests in progress including the new request. An endpoint that becomes slow is
     * avoided after a few responses, long before a health check would detect it.
     */
    static TwoChoices leastResponseTime(
            EndpointSet set, EndpointLoad[] loads, SplittableRandom random, LongSupplier clock) {
        return new TwoChoices(set, loads, random, (one, share, other, otherShare) -> {
            long now = clock.getAsLong();
            return other.cost(now) * share < one.cost(now) * otherShare;
        });
    }

    @Override
    int first(BalanceContext context) {
        int one = lot.draw();
        int other = lot.drawBeside(one);
        return comparison.isOtherBetter(loads[one], set.share(one), loads[other], set.share(other)) ? other : one;
    }
}
