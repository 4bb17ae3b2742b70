package dev.lychgate.server.metrics;

import dev.lychgate.server.metrics.Families.Group;
import dev.lychgate.upstream.SourceStatus;
import java.time.Duration;
import java.time.Instant;

/** The metric families for the services from which upstreams discover endpoints. Not thread-safe. */
final class DiscoveryFamilies {
    private final Group<SourceStatus> all;

    DiscoveryFamilies(Families families) {
        all = families.<SourceStatus>group("lychgate_discovery_", "upstream", "source", "service")
                .counter("reports{result}", "Reports of the source about the service, by result", (of, row) -> {
                    row.set(of.answered(), "found");
                    row.set(of.empty(), "empty");
                    row.set(of.failed(), "failed");
                })
                .gauge("endpoints{state}", "Endpoints in use, by state", (of, row) -> {
                    row.set(of.ready() - of.retained(), "ready");
                    row.set(of.draining(), "draining");
                    row.set(of.retained(), "retained");
                })
                .gauge("failing", "1 while the last report was a failure or empty", of -> of.fault() == null ? 0 : 1)
                .gauge(
                        "age_seconds",
                        "Time since the source last reported or confirmed the endpoints in use; 0 before the first"
                                + " report",
                        DiscoveryFamilies::age);
    }

    private static double age(SourceStatus of) {
        Instant confirmed = of.confirmed();
        return confirmed == null
                ? 0
                : Math.max(0, Duration.between(confirmed, Instant.now()).toMillis() / 1000.0);
    }

    void read(SourceStatus status) {
        all.read(status, status.upstream(), status.source(), status.service());
    }
}
