package dev.lychgate.server.metrics;

import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.Map;
import java.util.TreeMap;

/** The meters of exchanges, by route. For one thread. */
final class ExchangeMeters {
    private static final String[] STATUS_CLASSES = {"none", "1xx", "2xx", "3xx", "4xx", "5xx"};

    private final MeterRows requests;
    private final MeterRows requestBytes;
    private final MeterRows responseBytes;
    private final DurationHistogram durations = new DurationHistogram();

    ExchangeMeters(PrometheusMeterRegistry registry) {
        requests = new MeterRows(
                registry,
                MeterRows.Kind.COUNTER,
                "lychgate.requests",
                null,
                "Exchanges that ended, by route, class of the status, and error",
                "route",
                "status",
                "error",
                "side");
        requestBytes = new MeterRows(
                registry,
                MeterRows.Kind.COUNTER,
                "lychgate.request",
                "bytes",
                "Bytes of request bodies that came, without framing",
                "route");
        responseBytes = new MeterRows(
                registry,
                MeterRows.Kind.COUNTER,
                "lychgate.response",
                "bytes",
                "Bytes of response bodies that were written, without framing",
                "route");
        registry.getPrometheusRegistry().register(durations);
    }

    /** Shows the sums of these parts, one per event loop. */
    void show(Iterable<Map<String, RouteCells>> loops) {
        Map<String, RouteCells> sums = new TreeMap<>();
        for (Map<String, RouteCells> loop : loops) {
            loop.forEach((route, cells) ->
                    sums.computeIfAbsent(route, id -> new RouteCells()).add(cells));
        }
        sums.forEach((route, cells) -> {
            cells.counts((statusClass, error, side, count) -> requests.set(
                    count,
                    route,
                    STATUS_CLASSES[statusClass],
                    error == null ? "none" : error.label(),
                    side == null ? "none" : side.label()));
            requestBytes.set(cells.requestBytes(), route);
            responseBytes.set(cells.responseBytes(), route);
        });
        durations.show(sums);
    }
}
