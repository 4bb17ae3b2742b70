package dev.lychgate.upstream;

import java.util.SplittableRandom;
import java.util.function.LongSupplier;

/**
 * Two endpoints by lot, by weight, and of them the better one: nearly as good as to look at all of them, without the herd that
 * runs to the one that is best at the moment, which many loops and gateways would all see at once. Where neither is better the
 * first one drawn is taken, so weights hold at low load too.
 *
 * @see <a href="https://doi.org/10.1109/71.963420">Mitzenmacher, The Power of Two Choices in Randomized Load Balancing,
 *     2001</a>
 */
final class TwoChoices extends BalancingPolicy {
    private final EndpointLoad[] loads;
    private final WeightedLot lot;
    private final Comparison comparison;

    private interface Comparison {
        /** Whether {@code other} is better. @param share of the traffic that {@code one} is to have */
        boolean isOtherBetter(EndpointLoad one, double share, EndpointLoad other, double otherShare);
    }

    /** @param loads of the set's endpoints, in their order */
    private TwoChoices(EndpointSet set, EndpointLoad[] loads, SplittableRandom random, Comparison comparison) {
        super(set);
        this.loads = loads;
        this.lot = new WeightedLot(set, random);
        this.comparison = comparison;
    }

    /**
     * Takes the one with fewer requests under way for its share. If one of them has just failed the other is taken: an
     * endpoint that refuses everything is never busy.
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
     * Takes the one with the lower {@link EndpointLoad#cost}: how long answers take there, times the requests that are under
     * way and the one to come. An endpoint that turns slow is left within a few answers, long before a check would notice.
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
