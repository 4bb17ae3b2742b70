package dev.lychgate.server.metrics;

import dev.lychgate.server.metrics.Families.Group;
import java.util.List;

/** The metric families of rollouts. Not thread-safe. */
final class RolloutFamilies {
    private static final List<String> RESULTS = List.of("promoted", "aborted", "superseded");

    private final Group<RolloutFigures> all;

    RolloutFamilies(Families families) {
        all = families.<RolloutFigures>group("lychgate_")
                .gauge("rollout_share", "Share of the exchanges that the candidate gets, 0 to 1", (of, row) -> {
                    double share = of.share();
                    if (!Double.isNaN(share)) {
                        row.set(share);
                    }
                })
                .counter(
                        "rollouts{result}",
                        "Rollouts that ended, by result",
                        (of, row) -> RESULTS.forEach(result -> row.set(of.ended(result), result)))
                .counter(
                        "rollout_exchanges{role, status}",
                        "Exchanges that ended during rollouts, by generation and class of the status",
                        (of, row) -> of.exchanges((role, status, exchanges) -> row.set(exchanges, role, status)))
                .counter(
                        "shadow_requests{result}",
                        "Copies of requests in shadows of candidates, by result",
                        (of, row) -> of.shadowed().forEach((result, count) -> row.set(count, result)))
                .counter(
                        "shadow_differences{kind}",
                        "Requests that a candidate decides differently in its shadow, by the kind of the difference",
                        (of, row) -> of.shadowDifferences().forEach((kind, count) -> row.set(count, kind)));
    }

    void read(RolloutFigures figures) {
        all.read(figures);
    }
}
