package dev.lychgate.server.discovery;

import dev.lychgate.config.EndpointReadiness;
import dev.lychgate.server.terminal.JsonValue;
import dev.lychgate.upstream.FoundEndpoint;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Reads the endpoints from a response of {@code /v1/health/service}. An instance with a critical check is omitted, with
 * one exception: if all of its critical checks report a maintenance, the instance is draining. An instance with a
 * warning is ready, and gets the weight that its registration states for warnings.
 *
 * @see <a href="https://developer.hashicorp.com/consul/api-docs/health">Health</a>
 */
final class ConsulEndpoints {
    private ConsulEndpoints() {}

    static List<FoundEndpoint> read(JsonValue json) throws UnusableReportException {
        if (!json.isList()) {
            throw new UnusableReportException("the response is not a list of instances");
        }
        List<FoundEndpoint> endpoints = new ArrayList<>();
        for (JsonValue instance : json.items()) {
            readiness(instance).ifPresent(readiness -> add(endpoints, instance, readiness));
        }
        return endpoints;
    }

    private static Optional<EndpointReadiness> readiness(JsonValue instance) {
        EndpointReadiness readiness = EndpointReadiness.READY;
        for (JsonValue check : instance.list("Checks")) {
            if (check.get("Status").raw().equals("critical")) {
                String id = check.get("CheckID").raw();
                if (!id.equals("_node_maintenance") && !id.startsWith("_service_maintenance:")) {
                    return Optional.empty();
                }
                readiness = EndpointReadiness.DRAINING;
            }
        }
        return Optional.of(readiness);
    }

    private static void add(List<FoundEndpoint> to, JsonValue instance, EndpointReadiness readiness) {
        JsonValue node = instance.get("Node");
        JsonValue service = instance.get("Service");
        Map<String, String> metadata = new LinkedHashMap<>();
        for (JsonValue tag : service.list("Tags")) {
            String[] parts = tag.raw().split("=", 2);
            metadata.put(parts[0], parts.length == 1 ? "true" : parts[1]);
        }
        service.get("Meta").fields().forEach((name, value) -> metadata.put(name, value.raw()));
        boolean warning = instance.list("Checks").stream()
                .anyMatch(check -> check.get("Status").raw().equals("warning"));
        JsonValue weight = service.get("Weights").get(warning ? "Warning" : "Passing");
        String own = service.get("Address").raw();
        try {
            to.add(FoundEndpoint.of(
                    own.isEmpty() ? node.get("Address").raw() : own,
                    (int) service.number("Port"),
                    weight.isMissing() ? 1 : weight.number(),
                    zone(service, node),
                    0,
                    readiness,
                    metadata));
        } catch (IllegalArgumentException e) {
            // An instance without a port, or with an address that is a path, cannot receive HTTP requests.
        }
    }

    private static String zone(JsonValue service, JsonValue node) {
        return Stream.of(
                        service.get("Locality").get("Zone"),
                        service.get("Meta").get("zone"),
                        node.get("Locality").get("Zone"),
                        node.get("Meta").get("zone"))
                .map(JsonValue::raw)
                .filter(zone -> !zone.isEmpty())
                .findFirst()
                .orElse("");
    }
}
