package dev.lychgate.server.admin;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.lychgate.generation.Generation;
import dev.lychgate.server.metrics.RecentTraffic.OfRoute;
import dev.lychgate.server.metrics.RecentTraffic.Traffic;
import java.io.IOException;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** {@code /traffic}: what the last seconds brought, route by route, for a page that asks again every other second. */
final class TrafficPage {
    private TrafficPage() {}

    static void write(JsonGenerator json, Generation generation, Traffic traffic) throws IOException {
        json.writeStartObject();
        json.writeStringField("time", traffic.at().toString());
        json.writeNumberField("seconds", RecentFields.rounded(traffic.seconds()));
        json.writeArrayFieldStart("routes");
        Set<String> seen = new HashSet<>();
        for (OfRoute route : traffic.routes()) {
            seen.add(route.route());
            write(json, route, traffic.seconds());
        }
        for (var route : generation.routes().routes()) {
            if (seen.add(route.id())) {
                write(json, new OfRoute(route.id(), 0, 0, 0, Map.of(), Double.NaN, Double.NaN), traffic.seconds());
            }
        }
        json.writeEndArray();
        json.writeEndObject();
    }

    private static void write(JsonGenerator json, OfRoute route, double seconds) throws IOException {
        json.writeStartObject();
        json.writeStringField("id", route.route());
        RecentFields.rates(json, route.recent(), route.errors(), seconds);
        RecentFields.percentiles(json, route.p50(), route.p99());
        json.writeObjectFieldStart("statuses");
        for (Map.Entry<String, Long> status : route.statuses().entrySet()) {
            json.writeNumberField(status.getKey(), status.getValue());
        }
        json.writeEndObject();
        json.writeNumberField("total", route.total());
        json.writeEndObject();
    }
}
