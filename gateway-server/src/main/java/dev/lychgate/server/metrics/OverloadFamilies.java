package dev.lychgate.server.metrics;

import dev.lychgate.generation.OverloadPolicy;
import dev.lychgate.resilience.OverloadLadder;
import dev.lychgate.resilience.OverloadLadder.Rung;
import dev.lychgate.server.metrics.Families.Group;
import org.jspecify.annotations.Nullable;

/** The metric families that show the rung (level of overload) of each upstream. Not thread-safe. */
final class OverloadFamilies {
    private final Group<Now> ladders;

    private record Now(OverloadLadder ladder, Rung rung) {}

    OverloadFamilies(Families families) {
        ladders = families.<Now>group("lychgate_overload_", "upstream")
                .gauge(
                        "rung",
                        "Rung of the upstream: 0 normal, 1 limit, 2 shed, 3 brownout, 4 stale, 5 page",
                        now -> number(now.rung))
                .counter("rungs{rung}", "How often a rung was reached from a lower rung", (now, row) -> {
                    for (Rung rung : Rung.values()) {
                        if (rung != Rung.NORMAL) {
                            row.set(now.ladder.reached(rung), rung.label());
                        }
                    }
                });
    }

    private static int number(Rung rung) {
        return switch (rung) {
            case NORMAL -> 0;
            case LIMIT -> 1;
            case SHED -> 2;
            case BROWNOUT -> 3;
            case STALE -> 4;
            case PAGE -> 5;
        };
    }

    /**
     * Reads the current rungs.
     *
     * @param policy null if no reaction to overload is configured
     */
    void read(@Nullable OverloadPolicy policy) {
        if (policy != null) {
            policy.ladders()
                    .forEach((upstream, ladder) ->
                            ladders.read(new Now(ladder, policy.position(ladder).rung()), upstream));
        }
    }
}
