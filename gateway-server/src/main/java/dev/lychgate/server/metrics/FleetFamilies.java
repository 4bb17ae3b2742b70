package dev.lychgate.server.metrics;

import dev.lychgate.server.metrics.Families.Group;

/** The metric family that shows which release this node of a fleet serves. Not thread-safe. */
final class FleetFamilies {
    private final Group<NodeRelease> all;

    FleetFamilies(Families families) {
        all = families.<NodeRelease>group("lychgate_fleet_", "space", "node")
                .gauge("release{digest}", "1, with the digest of the release that this node serves", (of, row) -> {
                    if (!of.digest().isEmpty()) {
                        row.set(1, of.digest());
                    }
                });
    }

    void read(NodeRelease release) {
        all.read(release, release.space(), release.node());
    }
}
