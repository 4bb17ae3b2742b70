package dev.lychgate.upstream;

import java.util.SplittableRandom;
import java.util.function.LongSupplier;

/**
 * Of two endpoints the one with fewer requests under way for its share. If one of them has just failed the other is taken: an
 * endpoint that refuses everything is never busy.
 */
final class LeastRequests extends TwoChoices {
    LeastRequests(EndpointSet set, EndpointLoad[] loads, SplittableRandom random, LongSupplier clock) {
        super(set, loads, random, clock);
    }

    @Override
    boolean isOtherBetter(EndpointLoad one, double share, EndpointLoad other, double otherShare) {
        boolean failed = one.hasJustFailed(clock);
        if (failed != other.hasJustFailed(clock)) {
            return failed;
        }
        return other.outstanding() * share < one.outstanding() * otherShare;
    }
}
