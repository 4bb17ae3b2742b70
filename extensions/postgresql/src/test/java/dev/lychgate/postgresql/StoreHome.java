package dev.lychgate.postgresql;

import dev.lychgate.fleet.FleetException;
import dev.lychgate.fleet.FleetStore;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** The settings that the tests share, and a listener that records heads. */
final class StoreHome implements FleetStore.HeadListener {
    /** The epochs of all heads. */
    final List<Long> seen = new CopyOnWriteArrayList<>();
    /** The reasons of all failures. */
    final List<String> failures = new CopyOnWriteArrayList<>();

    /** Returns the settings of the superuser, without TLS. */
    static PostgresqlSettings settings(List<String> endpoints, String schema, Duration timeout) {
        return new PostgresqlSettings(
                endpoints, "lychgate", schema, "postgres", null, null, false, null, null, null, timeout);
    }

    @Override
    public void head(FleetStore.StoredHead head) {
        seen.add(head.epoch());
    }

    @Override
    public void unavailable(FleetException reason) {
        failures.add(reason.kind() + ": " + reason.reason());
    }
}
