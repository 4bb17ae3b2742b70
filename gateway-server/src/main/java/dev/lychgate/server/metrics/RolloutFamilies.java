package dev.lychgate.server.metrics;

import dev.lychgate.server.metrics.Families.Group;
import java.util.List;

/** The families of rollouts. For one thread. */
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
                        (of, row) -> of.exchanges((role, status, exchanges) -> row.set(exchanges, role, status)));
    }

    void read(RolloutFigures figures) {
        all.read(figures);
    }
}
