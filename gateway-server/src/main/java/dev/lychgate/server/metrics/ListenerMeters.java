package dev.lychgate.server.metrics;

import dev.lychgate.listener.Listener;
import dev.lychgate.listener.ListenerCounters;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.function.ToDoubleFunction;

/** The meters of one listener: read from its counters whenever somebody asks. */
final class ListenerMeters {
    private final MeterRegistry registry;
    private final String name;
    private final ListenerCounters counters;

    private ListenerMeters(MeterRegistry registry, Listener listener) {
        this.registry = registry;
        this.name = listener.config().name();
        this.counters = listener.counters();
    }

    static void bind(MeterRegistry registry, Listener listener) {
        ListenerMeters meters = new ListenerMeters(registry, listener);
        Gauge.builder("lychgate.listener.connections", meters.counters, ListenerCounters::open)
                .description("Client connections open now")
                .tag("listener", meters.name)
                .register(registry);
        meters.counter("accepted", "Client connections accepted", ListenerCounters::accepted);
        meters.counter(
                "idle.timeouts",
                "Client connections closed because they were silent between requests, or did not send one in time",
                ListenerCounters::idleTimeouts);
        meters.counter(
                "accept.pauses",
                "How often accepting was suspended at the limit of connections",
                ListenerCounters::acceptPauses);
    }

    private void counter(String what, String description, ToDoubleFunction<ListenerCounters> count) {
        FunctionCounter.builder("lychgate.listener." + what, counters, count)
                .description(description)
                .tag("listener", name)
                .register(registry);
    }
}
