package dev.lychgate.server.metrics;

import dev.lychgate.http2.Http2Error;
import dev.lychgate.listener.Listener;
import dev.lychgate.listener.ListenerCounters;
import dev.lychgate.proxyprotocol.ProxyFault;
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
        meters.protocol("http/1.1", ListenerCounters::openHttp1);
        meters.protocol("h2", ListenerCounters::openHttp2);
        meters.protocol("websocket", ListenerCounters::openWebSockets);
        meters.counter("accepted", "Client connections accepted", ListenerCounters::accepted);
        meters.counter(
                "idle.timeouts",
                "Client connections closed because they were silent between requests, or did not send one in time",
                ListenerCounters::idleTimeouts);
        meters.counter(
                "accept.pauses",
                "How often accepting was suspended at the limit of connections",
                ListenerCounters::acceptPauses);
        meters.counter(
                "http2.connections",
                "Client connections on which HTTP/2 was spoken",
                ListenerCounters::http2Connections);
        meters.clientAddresses("unusable", ListenerCounters::unusableClients);
        meters.clientAddresses("conflict", ListenerCounters::conflictingClients);
        for (Http2Error error : Http2Error.values()) {
            meters.http2Faults(error);
        }
        for (ProxyFault fault : ProxyFault.values()) {
            meters.proxyFaults(fault);
        }
    }

    private void protocol(String protocol, ToDoubleFunction<ListenerCounters> open) {
        Gauge.builder("lychgate.listener.protocol.connections", counters, open)
                .description("Client connections open now, by what is spoken on them")
                .tag("listener", name)
                .tag("protocol", protocol)
                .register(registry);
    }

    private void http2Faults(Http2Error error) {
        FunctionCounter.builder("lychgate.listener.http2.faults", counters, all -> all.http2Faults(error))
                .description("Streams and connections of HTTP/2 that had to end because of something their client did")
                .tag("listener", name)
                .tag("error", error.label())
                .register(registry);
    }

    private void proxyFaults(ProxyFault fault) {
        FunctionCounter.builder("lychgate.listener.proxy.failures", counters, all -> all.proxyFaults(fault))
                .description("Connections of trusted proxies closed for want of a header of the PROXY protocol")
                .tag("listener", name)
                .tag("reason", fault.label())
                .register(registry);
    }

    private void clientAddresses(String reason, ToDoubleFunction<ListenerCounters> count) {
        FunctionCounter.builder("lychgate.listener.client.address.failures", counters, count)
                .description("Headers of trusted proxies that led to no client address, or named another client")
                .tag("listener", name)
                .tag("reason", reason)
                .register(registry);
    }

    private void counter(String what, String description, ToDoubleFunction<ListenerCounters> count) {
        FunctionCounter.builder("lychgate.listener." + what, counters, count)
                .description(description)
                .tag("listener", name)
                .register(registry);
    }
}
