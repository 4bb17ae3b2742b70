package dev.lychgate.filters.testing;

import dev.lychgate.config.OverloadConfig;
import dev.lychgate.config.Percent;
import dev.lychgate.error.ErrorKind;
import dev.lychgate.generation.Generation;
import dev.lychgate.generation.OverloadPolicy;
import dev.lychgate.resilience.OverloadLadder;
import java.time.Duration;

/** Simulates an overload of all upstreams of a test while the test runs, so that filters detect a brown-out. */
final class Brownout {
    private static final Duration LONG = Duration.ofHours(24);

    /** Settings of {@code overload} with which no request of a test is shed. */
    static final OverloadConfig CONFIG =
            new OverloadConfig(LONG, new Percent(99), new Percent(99), new Percent(0), null, LONG, null, null, LONG);

    private static final OverloadLadder.Times AT_ONCE =
            new OverloadLadder.Times(0, Long.MAX_VALUE, Long.MAX_VALUE, LONG.toNanos());

    private Brownout() {}

    static void begin(Generation generation) {
        OverloadPolicy policy = generation.overload();
        if (policy == null) {
            throw new IllegalStateException("the generation has no overload policy");
        }
        long now = System.nanoTime();
        for (OverloadLadder ladder : policy.ladders().values()) {
            // The first shed request begins the shedding, and the second request shows that the shedding continues.
            ladder.shed(ErrorKind.OVERLOADED, now, AT_ONCE);
            ladder.shed(ErrorKind.OVERLOADED, now, AT_ONCE);
        }
    }
}
