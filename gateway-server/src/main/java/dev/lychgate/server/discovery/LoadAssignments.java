package dev.lychgate.server.discovery;

import dev.lychgate.config.EndpointReadiness;
import dev.lychgate.server.terminal.JsonValue;
import dev.lychgate.upstream.FoundEndpoint;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads load assignments of Envoy in the JSON form of Protocol Buffers: one {@code ClusterLoadAssignment}, or a
 * discovery response with several assignments in {@code resources}. A member name may have underscores, such as {@code
 * lb_endpoints}, or capital letters, such as {@code lbEndpoints}.
 *
 * @see <a
 *     href="https://www.envoyproxy.io/docs/envoy/latest/api-v3/config/endpoint/v3/endpoint.proto">endpoint.proto</a>
 */
final class LoadAssignments {
    private LoadAssignments() {}

    /**
     * @param service the name of a cluster, which selects one of several assignments
     * @throws IllegalArgumentException if an assignment is missing or malformed; the message is the reason
     */
    static List<FoundEndpoint> read(JsonValue json, String service) {
        List<JsonValue> assignments = json.has("resources") ? json.list("resources") : List.of(json);
        List<JsonValue> chosen = assignments.size() == 1
                ? assignments
                : assignments.stream()
                        .filter(each -> member(each, "cluster_name").raw().equals(service))
                        .toList();
        if (chosen.size() != 1) {
            throw new IllegalArgumentException(chosen.size() + " of " + assignments.size()
                    + " load assignments have the cluster_name " + service + " (expected: exactly one)");
        }
        List<FoundEndpoint> endpoints = new ArrayList<>();
        if (member(chosen.get(0), "cluster_name").raw().isEmpty()) {
            throw new IllegalArgumentException("the load assignment has no cluster_name");
        }
        for (JsonValue locality : chosen.get(0).list("endpoints")) {
            String zone = locality.get("locality").get("zone").raw();
            double priority = locality.number("priority");
            for (JsonValue endpoint : member(locality, "lb_endpoints").items()) {
                add(endpoints, endpoint, zone, priority);
            }
        }
        return endpoints;
    }

    private static void add(List<FoundEndpoint> to, JsonValue endpoint, String zone, double priority) {
        String health = member(endpoint, "health_status").raw();
        if (health.equals("UNHEALTHY") || health.equals("TIMEOUT")) {
            return;
        }
        JsonValue address = member(endpoint.get("endpoint").get("address"), "socket_address");
        String host = address.get("address").raw();
        double port = member(address, "port_value").number();
        JsonValue weight = member(endpoint, "load_balancing_weight");
        try {
            to.add(FoundEndpoint.of(
                    host,
                    (int) port,
                    weight.isMissing() ? 1 : weight.number(),
                    zone,
                    priority,
                    health.equals("DRAINING") ? EndpointReadiness.DRAINING : EndpointReadiness.READY,
                    metadata(endpoint)));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "endpoint \"" + host + "\", port " + (int) port + " (expected: " + e.getMessage() + ")", e);
        }
    }

    /** Returns the metadata with which Envoy selects subsets of endpoints. */
    private static Map<String, String> metadata(JsonValue endpoint) {
        Map<String, String> metadata = new LinkedHashMap<>();
        JsonValue selecting =
                member(endpoint.get("metadata"), "filter_metadata").get("envoy.lb");
        selecting.fields().forEach((name, value) -> metadata.put(name, value.scalar()));
        return metadata;
    }

    private static JsonValue member(JsonValue of, String name) {
        return of.has(name) ? of.get(name) : of.get(camelCase(name));
    }

    private static String camelCase(String name) {
        StringBuilder camel = new StringBuilder();
        for (String word : name.split("_", -1)) {
            camel.append(camel.isEmpty() ? word : Character.toUpperCase(word.charAt(0)) + word.substring(1));
        }
        return camel.toString();
    }
}
