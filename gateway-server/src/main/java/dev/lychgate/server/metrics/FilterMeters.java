package dev.lychgate.server.metrics;

import dev.lychgate.chain.FilterChains;
import dev.lychgate.chain.FilterSlot;
import dev.lychgate.chain.FilterStats;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.prometheus.metrics.model.snapshots.Exemplars;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * The meters of the filters in use, by phase and name: as many as the configuration names, whatever requests do. Filters
 * of one phase and name on several routes are counted together. For one thread.
 */
final class FilterMeters {
    private static final double NANOS_PER_SECOND = 1e9;

    private final MeterRows runs;
    private final MeterRows seconds;
    private final MeterRows failures;
    private final MeterRows timeouts;
    private final MeterRows skipped;
    private final MeterRows strikes;
    private final MeterRows lingering;
    private final HistogramRows durations = new HistogramRows(
            "lychgate_filter_duration_seconds",
            "How long a run of the filter took, waiting included",
            HistogramRows.seconds(FilterStats.bounds()),
            "phase",
            "filter");
    private final MeterRows disabled;

    FilterMeters(PrometheusMeterRegistry registry) {
        registry.getPrometheusRegistry().register(durations);
        runs = rows(registry, "runs", "Runs of the filter that ended, however they did");
        seconds = new MeterRows(
                registry,
                MeterRows.Kind.COUNTER,
                "lychgate.filter",
                "seconds",
                "How long all its runs together took, waiting included",
                "phase",
                "filter");
        failures = rows(registry, "failures", "Runs that failed, those that took too long included");
        timeouts = rows(registry, "timeouts", "Runs that took longer than they may");
        skipped = rows(registry, "skipped", "Exchanges it would have met if it had not been ejected or disabled");
        strikes = rows(registry, "strikes", "How often it has held an event loop for too long");
        lingering =
                gauge(registry, "lingering", "Blocking calls that were given up, do not return and keep their threads");
        disabled = gauge(registry, "disabled", "1 while an operator has it left out, else 0");
    }

    private static MeterRows gauge(MeterRegistry registry, String what, String description) {
        return new MeterRows(
                registry, MeterRows.Kind.GAUGE, "lychgate.filter." + what, null, description, "phase", "filter");
    }

    private static MeterRows rows(MeterRegistry registry, String what, String description) {
        return new MeterRows(
                registry, MeterRows.Kind.COUNTER, "lychgate.filter." + what, null, description, "phase", "filter");
    }

    void show(FilterChains chains) {
        Set<FilterStats> shown = new HashSet<>();
        for (FilterSlot slot : chains.slots()) {
            String phase = slot.phase().name().toLowerCase(Locale.ROOT);
            FilterStats stats = slot.stats();
            runs.set(stats.runs(), phase, slot.name());
            seconds.set(stats.nanos() / NANOS_PER_SECOND, phase, slot.name());
            failures.set(stats.failures(), phase, slot.name());
            timeouts.set(stats.timeouts(), phase, slot.name());
            skipped.set(stats.skipped(), phase, slot.name());
            strikes.set(stats.strikes(), phase, slot.name());
            lingering.set(stats.lingering(), phase, slot.name());
            // Those of one phase and name share theirs.
            if (shown.add(stats)) {
                durations.set(stats.durations(), stats.nanos() / NANOS_PER_SECOND, Exemplars.EMPTY, phase, slot.name());
            }
            disabled.set(slot.isDisabled() ? 1 : 0, phase, slot.name());
        }
        for (MeterRows rows : List.of(runs, seconds, failures, timeouts, skipped, strikes, lingering, disabled)) {
            rows.removeUntouched();
        }
        durations.show();
    }
}
