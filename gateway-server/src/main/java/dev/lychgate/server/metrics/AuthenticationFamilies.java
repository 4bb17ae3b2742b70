package dev.lychgate.server.metrics;

import dev.lychgate.access.AuthenticationCounts;
import dev.lychgate.access.AuthenticationCounts.Result;
import dev.lychgate.server.metrics.Families.Group;
import java.util.Map;

/** The metric family of authentications. Not thread-safe. */
final class AuthenticationFamilies {
    private final Group<Map<Result, Long>> all;

    AuthenticationFamilies(Families families) {
        all = families.<Map<Result, Long>>group("lychgate_", "authenticator")
                .counter(
                        "authentications{result}",
                        "Authentications of requests by authenticator and result",
                        (counts, row) -> counts.forEach((result, count) -> row.set(count, result.label())));
    }

    /** Reads the counts of the gateway. */
    void read(AuthenticationCounts counts) {
        counts.read().forEach((name, each) -> all.read(each, name));
    }
}
