package dev.lychgate.upstream;

import java.util.SplittableRandom;
import java.util.function.LongSupplier;

/**
 * Of two endpoints the one with the lower {@link EndpointLoad#cost}: how long answers take there, times the requests that are
 * under way and the one to come. An endpoint that turns slow is left within a few answers, long before a check would notice.
 */
final class LeastResponseTime extends TwoChoices {
    LeastResponseTime(EndpointSet set, EndpointLoad[] loads, SplittableRandom random, LongSupplier clock) {
        super(set, loads, random, clock);
    }

    @Override
    boolean isOtherBetter(EndpointLoad one, double share, EndpointLoad other, double otherShare) {
        long now = clock.getAsLong();
        return other.cost(now) * share < one.cost(now) * otherShare;
    }
}
