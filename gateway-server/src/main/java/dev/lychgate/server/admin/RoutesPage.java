package dev.lychgate.server.admin;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.lychgate.chain.FilterChains;
import dev.lychgate.config.RouteAction;
import dev.lychgate.generation.Generation;
import dev.lychgate.route.Route;
import dev.lychgate.server.explain.ExplanationJson;
import dev.lychgate.server.filters.FilterSight;
import java.io.IOException;
import java.util.List;

/** {@code /routes}: every route, in the order of the file, with the filters that run on it. */
final class RoutesPage {
    private RoutesPage() {}

    static void write(JsonGenerator json, Generation generation) throws IOException {
        json.writeStartObject();
        json.writeNumberField("generation", generation.number());
        json.writeArrayFieldStart("routes");
        for (Route route : generation.routes().routes()) {
            write(json, route, generation.filters());
        }
        json.writeEndArray();
        json.writeObjectFieldStart("no_route");
        filters(json, FilterSight.of(generation.filters(), null));
        json.writeEndObject();
        json.writeEndObject();
    }

    private static void write(JsonGenerator json, Route route, FilterChains chains) throws IOException {
        json.writeStartObject();
        json.writeStringField("id", route.id());
        json.writeNumberField("order", route.config().order());
        json.writeArrayFieldStart("predicates");
        for (String predicate : route.predicates()) {
            json.writeString(predicate);
        }
        json.writeEndArray();
        json.writeObjectFieldStart("action");
        write(json, route.action());
        json.writeEndObject();
        filters(json, FilterSight.of(chains, route.id()));
        json.writeEndObject();
    }

    private static void filters(JsonGenerator json, List<FilterSight> filters) throws IOException {
        json.writeArrayFieldStart("filters");
        for (FilterSight filter : filters) {
            json.writeStartObject();
            ExplanationJson.filter(json, filter);
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private static void write(JsonGenerator json, RouteAction action) throws IOException {
        if (action instanceof RouteAction.Proxy proxy) {
            json.writeStringField("type", "proxy");
            json.writeStringField("upstream", proxy.upstream());
            if (!proxy.subset().isEmpty()) {
                json.writeStringField("subset", proxy.subset().toString());
            }
        } else if (action instanceof RouteAction.Redirect redirect) {
            json.writeStringField("type", "redirect");
            json.writeNumberField("status", redirect.status());
            json.writeStringField("location", redirect.location());
        } else if (action instanceof RouteAction.Respond respond) {
            json.writeStringField("type", "respond");
            json.writeNumberField("status", respond.status());
        }
    }
}
