package dev.lychgate.server.metrics;

import dev.lychgate.filters.state.BoundedCache;
import dev.lychgate.filters.state.Counts;
import dev.lychgate.filters.state.GaugeReader;
import dev.lychgate.filters.state.SharedState;
import dev.lychgate.filters.state.Times;
import dev.lychgate.server.metrics.Families.Group;

/** The metric families of the instruments and caches that filters of the filter directory declare. Not thread-safe. */
final class FilterStateFamilies {
    private final GaugeReader gaugeReader = new GaugeReader();
    private final Group<Counts> counters;
    private final Group<Times> timers;
    private final Group<Double> gauges;
    private final Group<BoundedCache<?>> caches;

    FilterStateFamilies(Families families) {
        counters = families.<Counts>group("lychgate_filter_own", "file", "name")
                .counter(
                        "{label}",
                        "Counters of filters",
                        (of, row) -> of.byLabel().forEach((label, count) -> row.set(count, label)));
        timers = families.<Times>group("lychgate_filter_own_", "file", "name")
                .summary(
                        "seconds{label}",
                        "Timers of filters",
                        (of, row) ->
                                of.byLabel().forEach((label, sum) -> row.set(sum.count(), sum.nanos() / 1e9, label)));
        gauges = families.<Double>group("lychgate_filter_own_", "file", "name", "label")
                .gauge("value", "Gauges of filters", value -> value);
        caches = families.<BoundedCache<?>>group("lychgate_filter_cache_", "file", "name")
                .gauge("entries", "Entries of caches of filters", BoundedCache::size)
                .counter("lookups{result}", "Lookups in caches of filters", (of, row) -> {
                    row.set(of.hits(), "hit");
                    row.set(of.misses(), "miss");
                })
                .counter("evictions", "Entries that caches of filters dropped", BoundedCache::evictions);
    }

    void read(SharedState state) {
        for (SharedState.Entry entry : state.current()) {
            if (entry.value() instanceof Counts of) {
                counters.read(of, entry.file(), entry.name());
            } else if (entry.value() instanceof Times of) {
                timers.read(of, entry.file(), entry.name());
            } else if (entry.value() instanceof BoundedCache<?> of) {
                caches.read(of, entry.file(), entry.name());
            }
        }
        gaugeReader.read(state, (gauge, value) -> gauges.read(value, gauge.file(), gauge.name(), gauge.label()));
    }
}
