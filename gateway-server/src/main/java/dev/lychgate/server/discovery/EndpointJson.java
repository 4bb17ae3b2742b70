package dev.lychgate.server.discovery;

import dev.lychgate.config.EndpointReadiness;
import dev.lychgate.server.json.JsonObject;
import dev.lychgate.server.terminal.JsonValue;
import dev.lychgate.upstream.FoundEndpoint;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** Writes and reads an endpoint as JSON, in the gateway's own format. */
final class EndpointJson {
    private EndpointJson() {}

    static JsonObject of(FoundEndpoint endpoint) {
        JsonObject metadata = new JsonObject();
        endpoint.metadata().forEach(metadata::with);
        return new JsonObject()
                .with("host", endpoint.host())
                .with("port", endpoint.port())
                .with("weight", endpoint.weight())
                .with("zone", endpoint.zone())
                .with("priority", endpoint.priority())
                .with("state", endpoint.readiness().name().toLowerCase(Locale.ROOT))
                .with("metadata", metadata);
    }

    /**
     * Reads an endpoint. Throws IllegalArgumentException if the host, the port or the state is malformed; the message
     * is the reason.
     */
    static FoundEndpoint read(JsonValue json) {
        Map<String, String> metadata = new LinkedHashMap<>();
        json.get("metadata").fields().forEach((name, value) -> metadata.put(name, value.scalar()));
        String state = json.get("state").raw();
        if (!state.isEmpty() && !state.equals("ready") && !state.equals("draining")) {
            throw new IllegalArgumentException("a state that is ready or draining");
        }
        return FoundEndpoint.of(
                json.get("host").raw(),
                (int) json.number("port"),
                json.has("weight") ? json.number("weight") : 1,
                json.get("zone").raw(),
                json.number("priority"),
                state.equals("draining") ? EndpointReadiness.DRAINING : EndpointReadiness.READY,
                metadata);
    }
}
