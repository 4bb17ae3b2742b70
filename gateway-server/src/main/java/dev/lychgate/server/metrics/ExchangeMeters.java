package dev.lychgate.server.metrics;

import dev.lychgate.config.RouteAction;
import dev.lychgate.config.RouteConfig;
import dev.lychgate.config.RouteResilience;
import dev.lychgate.exchange.state.TimelinePhase;
import dev.lychgate.exchange.state.TunnelEnd;
import dev.lychgate.generation.Generation;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.prometheus.metrics.model.snapshots.Exemplars;
import java.util.Map;

/** The meters of exchanges, by route. For one thread. */
final class ExchangeMeters {
    /** Labels of classes of status, as {@link RouteCells} number them. */
    static final String[] STATUS_CLASSES = {"none", "1xx", "2xx", "3xx", "4xx", "5xx"};

    /** The family whose percentiles come from {@link RouteCells#histogram}. */
    static final String DURATIONS = "lychgate_request_duration_seconds";

    static final String ROUTE = "route";

    private final MeterRows requests;
    private final MeterRows requestBytes;
    private final MeterRows responseBytes;
    private final MeterRows remedies;
    private final MeterRows shed;
    private final MeterRows webSockets;
    private final MeterRows webSocketEnds;
    private final HistogramRows durations;
    private final HistogramRows phases;

    /** @param buckets of both histograms */
    ExchangeMeters(PrometheusMeterRegistry registry, DurationBuckets buckets) {
        durations = new HistogramRows(
                DURATIONS, "From the request head to the last byte of the answer, by route", buckets.seconds(), ROUTE);
        phases = new HistogramRows(
                "lychgate_request_phase_seconds",
                "Where the time of exchanges went, by route and phase",
                buckets.seconds(),
                ROUTE,
                "phase");
        requests = new MeterRows(
                registry,
                MeterRows.Kind.COUNTER,
                "lychgate.requests",
                null,
                "Exchanges that ended, by route, class of the status, and error",
                ROUTE,
                "status",
                "error",
                "side");
        requestBytes = new MeterRows(
                registry,
                MeterRows.Kind.COUNTER,
                "lychgate.request",
                "bytes",
                "Bytes of request bodies that came, without framing",
                ROUTE);
        responseBytes = new MeterRows(
                registry,
                MeterRows.Kind.COUNTER,
                "lychgate.response",
                "bytes",
                "Bytes of response bodies that were written, without framing",
                ROUTE);
        remedies = new MeterRows(
                registry,
                MeterRows.Kind.COUNTER,
                "lychgate.on.failure",
                null,
                "What was done when a route's upstream had failed, and for which error",
                ROUTE,
                "action",
                "reason");
        shed = new MeterRows(
                registry,
                MeterRows.Kind.COUNTER,
                "lychgate.shed",
                null,
                "Requests refused since the gateway had too much to do, by priority",
                ROUTE,
                "priority");
        webSockets = new MeterRows(
                registry, MeterRows.Kind.GAUGE, "lychgate.websockets", null, "WebSockets open now", ROUTE, "listener");
        webSocketEnds = new MeterRows(
                registry,
                MeterRows.Kind.COUNTER,
                "lychgate.websockets.ended",
                null,
                "WebSockets that ended, and why",
                ROUTE,
                "listener",
                "reason");
        registry.getPrometheusRegistry().register(durations);
        registry.getPrometheusRegistry().register(phases);
    }

    /** Shows what was counted, by route. */
    void show(Map<String, RouteCells> sums) {
        sums.forEach((route, cells) -> {
            cells.counts((statusClass, error, side, count) -> requests.set(
                    count,
                    route,
                    STATUS_CLASSES[statusClass],
                    error == null ? "none" : error.label(),
                    side == null ? "none" : side.label()));
            durations.set(cells.durations(), cells.durationSeconds(), cells.exemplars(), route);
            showPhases(route, cells.phases());
            requestBytes.set(cells.requestBytes(), route);
            responseBytes.set(cells.responseBytes(), route);
            cells.tunnels(new TunnelCells.Visitor() {
                @Override
                public void open(String listener, long open) {
                    webSockets.set(open, route, listener);
                }

                @Override
                public void ended(String listener, TunnelEnd end, long count) {
                    webSocketEnds.set(count, route, listener, end.label());
                }
            });
            cells.remedies((remedy, reason, count) -> remedies.set(count, route, remedy.label(), reason));
            for (int priority = 0; priority <= RouteResilience.HIGHEST_PRIORITY; priority++) {
                if (cells.shed(priority) > 0) {
                    shed.set(cells.shed(priority), route, Integer.toString(priority));
                }
            }
        });
        durations.show();
        phases.show();
    }

    /** Most exchanges never come to some of them: those that none has come to are left out. */
    private void showPhases(String route, PhaseCells cells) {
        for (TimelinePhase phase : TimelinePhase.all()) {
            if (cells.isEntered(phase)) {
                phases.set(cells.buckets(phase), cells.seconds(phase), Exemplars.EMPTY, route, phase.label());
            }
        }
    }

    /** Shows that of routes that may be shed nothing has been as yet: a counter that begins with 1 has no rate. */
    void showUnshed(Generation generation) {
        if (generation.config().shedding() == null) {
            return;
        }
        for (RouteConfig route : generation.config().routes()) {
            int priority = route.resilience().priority();
            if (route.action() instanceof RouteAction.Proxy && priority < RouteResilience.HIGHEST_PRIORITY) {
                shed.setIfAbsent(0, route.id(), Integer.toString(priority));
            }
        }
    }
}
