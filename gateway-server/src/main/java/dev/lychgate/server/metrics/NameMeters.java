package dev.lychgate.server.metrics;

import dev.lychgate.dns.NameStatus;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;

/** The meters of the lookups of endpoints' names. For one thread. */
final class NameMeters {
    private final MeterRows lookups;
    private final MeterRows failing;

    NameMeters(MeterRegistry registry) {
        lookups = new MeterRows(
                registry,
                MeterRows.Kind.COUNTER,
                "lychgate.dns.lookups",
                null,
                "Lookups of endpoints' names, by result",
                "upstream",
                "name",
                "result");
        failing = new MeterRows(
                registry,
                MeterRows.Kind.GAUGE,
                "lychgate.dns.failing",
                null,
                "1 while the last lookup of the name has failed",
                "upstream",
                "name");
    }

    void show(List<NameStatus> names) {
        for (NameStatus name : names) {
            lookups.set(name.answered(), name.upstream(), name.name(), "answered");
            lookups.set(name.failed(), name.upstream(), name.name(), "failed");
            failing.set(name.fault() == null ? 0 : 1, name.upstream(), name.name());
        }
        lookups.removeUntouched();
        failing.removeUntouched();
    }
}
