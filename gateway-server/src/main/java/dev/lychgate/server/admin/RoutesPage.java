package dev.lychgate.server.admin;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.lychgate.config.RouteAction;
import dev.lychgate.generation.Generation;
import dev.lychgate.route.Route;
import java.io.IOException;

/** {@code /routes}: every route, in the order of the file. */
final class RoutesPage {
    private RoutesPage() {}

    static void write(JsonGenerator json, Generation generation) throws IOException {
        json.writeStartObject();
        json.writeNumberField("generation", generation.number());
        json.writeArrayFieldStart("routes");
        for (Route route : generation.routes().routes()) {
            write(json, route);
        }
        json.writeEndArray();
        json.writeEndObject();
    }

    private static void write(JsonGenerator json, Route route) throws IOException {
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
        json.writeEndObject();
    }

    private static void write(JsonGenerator json, RouteAction action) throws IOException {
        if (action instanceof RouteAction.Proxy proxy) {
            json.writeStringField("type", "proxy");
            json.writeStringField("upstream", proxy.upstream());
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
