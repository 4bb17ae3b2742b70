package dev.lychgate.server.rollout;

import dev.lychgate.server.rollout.Figures.Side;
import dev.lychgate.server.rollout.Figures.Traffic;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;

/** Computes the figures of both generations from the sums at two points in time. */
final class FiguresOfStep {
    private static final String[] CLASSES = {"none", "1xx", "2xx", "3xx", "4xx", "5xx"};
    private static final Sides NOTHING = new Sides();

    private final Look now;
    private final Look before;
    private final double seconds;

    private FiguresOfStep(Look now, Look before) {
        this.now = now;
        this.before = before;
        this.seconds = Math.max(1e-3, (now.at() - before.at()) / 1e9);
    }

    /** @param before earlier sums, from which the rates are computed */
    static Figures of(long stable, long candidate, Look now, Look before) {
        FiguresOfStep figures = new FiguresOfStep(now, before);
        return new Figures(figures.side(stable, Sides::stable), figures.side(candidate, Sides::candidate));
    }

    private Side side(long generation, Function<Sides, Counts> side) {
        Map<String, Traffic> routes = new LinkedHashMap<>();
        now.byRoute().forEach((route, sides) -> {
            Counts counts = side.apply(sides);
            if (counts.exchanges() > 0) {
                routes.put(route, traffic(counts, side.apply(before.byRoute().getOrDefault(route, NOTHING))));
            }
        });
        return new Side(generation, traffic(side.apply(now.total()), side.apply(before.total())), routes);
    }

    private Traffic traffic(Counts counts, Counts earlier) {
        Map<String, Long> statuses = new LinkedHashMap<>();
        for (int i = 0; i < CLASSES.length; i++) {
            long count = counts.ofClass(i);
            if (count > 0) {
                statuses.put(CLASSES[i], count);
            }
        }
        return new Traffic(
                counts.exchanges(),
                counts.errors(),
                counts.filterFailures(),
                statuses,
                (counts.exchanges() - earlier.exchanges()) / seconds,
                counts.durations().percentile(0.5),
                counts.durations().percentile(0.99));
    }
}
