package dev.lychgate.server.admin;

import dev.lychgate.generation.Generation;
import dev.lychgate.route.Route;
import dev.lychgate.server.json.Json;
import dev.lychgate.server.json.Shape;
import dev.lychgate.server.metrics.RecentTraffic.OfRoute;
import dev.lychgate.server.metrics.RecentTraffic.Traffic;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * {@code /traffic}: the traffic of the last seconds by route. A client is expected to poll this page every two seconds.
 */
final class TrafficPage {
    record Shown(Generation generation, Traffic traffic) {}

    private record Row(OfRoute route, double seconds) {
        private RecentRates rates() {
            return new RecentRates(route.recent(), route.errors(), seconds, route.p50(), route.p99());
        }
    }

    private static final Shape<Row> ROUTE = new Shape<Row>("RouteTraffic")
            .text("id", "The id of the route; - for exchanges that matched no route.", row -> row.route.route())
            .include(RecentRates.SHAPE, Row::rates)
            .field("statuses", Json.map(Json.INTEGER), "Exchanges by class of status.", row -> row.route.statuses())
            .integer("total", "Exchanges since the start.", row -> row.route.total());

    static final Shape<Shown> SHAPE = new Shape<Shown>("Traffic", "The traffic of the last ten seconds by route.")
            .field("time", Json.TIME, "When the traffic was counted.", shown -> shown.traffic.at())
            .number("seconds", "Length of the window; 0 for the first request.", shown -> shown.traffic.seconds())
            .list("routes", ROUTE, "Every route.", TrafficPage::rows);

    private TrafficPage() {}

    private static List<Row> rows(Shown shown) {
        Map<String, OfRoute> routes = new LinkedHashMap<>();
        shown.traffic.routes().forEach(route -> routes.put(route.route(), route));
        for (Route route : shown.generation.routes().routes()) {
            routes.putIfAbsent(route.id(), new OfRoute(route.id(), 0, 0, 0, Map.of(), Double.NaN, Double.NaN));
        }
        return routes.values().stream()
                .map(route -> new Row(route, shown.traffic.seconds()))
                .toList();
    }
}
