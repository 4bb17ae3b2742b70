package dev.lychgate.server.discovery;

import dev.lychgate.config.EndpointReadiness;
import dev.lychgate.server.terminal.JsonValue;
import dev.lychgate.upstream.FoundEndpoint;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Keeps the EndpointSlices of one service by name, and derives the endpoints of the service. An endpoint with the
 * condition {@code ready} is ready. An endpoint that terminates but still serves is draining. All other endpoints are
 * omitted. Not thread-safe.
 *
 * @see <a href="https://kubernetes.io/docs/concepts/services-networking/endpoint-slices/">EndpointSlices</a>
 */
final class EndpointSlices {
    private final String port;
    private final Map<String, JsonValue> byName = new LinkedHashMap<>();

    /** @param port the name or the number of the port; empty if the service has a single port */
    EndpointSlices(String port) {
        this.port = port;
    }

    void clear() {
        byName.clear();
    }

    void put(JsonValue slice) {
        byName.put(slice.get("metadata").get("name").raw(), slice);
    }

    void remove(JsonValue slice) {
        byName.remove(slice.get("metadata").get("name").raw());
    }

    /**
     * Returns the endpoints of all slices. Throws UnusableReportException unless exactly one port of the service
     * matches.
     */
    List<FoundEndpoint> endpoints() throws UnusableReportException {
        List<FoundEndpoint> endpoints = new ArrayList<>();
        for (JsonValue slice : byName.values()) {
            if (slice.get("endpoints").isList()) {
                int number = port(slice);
                for (JsonValue endpoint : slice.list("endpoints")) {
                    readiness(endpoint.get("conditions"))
                            .ifPresent(readiness -> add(endpoints, endpoint, number, readiness));
                }
            }
        }
        return endpoints;
    }

    private int port(JsonValue slice) throws UnusableReportException {
        Set<String> names = new LinkedHashSet<>();
        Set<Integer> numbers = new LinkedHashSet<>();
        for (JsonValue each : slice.list("ports")) {
            String protocol = each.get("protocol").raw();
            String number = each.get("port").scalar();
            if (protocol.isEmpty() || protocol.equals("TCP")) {
                String name = each.get("name").raw();
                names.add(name.isEmpty() ? number : name);
                if (port.isEmpty() || port.equals(name) || port.equals(number)) {
                    numbers.add((int) each.number("port"));
                }
            }
        }
        if (numbers.size() != 1) {
            throw new UnusableReportException(
                    "the service has the ports " + names.stream().collect(Collectors.joining(", "))
                            + (port.isEmpty()
                                    ? " (expected: a single port; the key port selects one)"
                                    : " (expected: " + port + ")"));
        }
        return numbers.iterator().next();
    }

    private static Optional<EndpointReadiness> readiness(JsonValue conditions) {
        // A missing condition means that the state is unknown, which Kubernetes treats as ready.
        if (conditions.get("ready").isMissing() || conditions.is("ready")) {
            return Optional.of(EndpointReadiness.READY);
        }
        return conditions.is("terminating") && conditions.is("serving")
                ? Optional.of(EndpointReadiness.DRAINING)
                : Optional.empty();
    }

    private static void add(List<FoundEndpoint> to, JsonValue endpoint, int number, EndpointReadiness readiness) {
        List<JsonValue> addresses = endpoint.list("addresses");
        List<JsonValue> hints = endpoint.get("hints").list("forZones");
        // A hint states the zone of the clients that should use the endpoint. This zone may differ from the zone of the
        // endpoint.
        String zone = hints.isEmpty()
                ? endpoint.get("zone").raw()
                : hints.get(0).get("name").raw();
        Map<String, String> metadata = new LinkedHashMap<>();
        String node = endpoint.get("nodeName").raw();
        if (!node.isEmpty()) {
            metadata.put("node", node);
        }
        JsonValue target = endpoint.get("targetRef");
        if (target.get("kind").raw().equals("Pod")) {
            metadata.put("pod", target.get("name").raw());
        }
        try {
            String address = addresses.isEmpty() ? "" : addresses.get(0).raw();
            to.add(FoundEndpoint.of(address, number, 1, zone, 0, readiness, metadata));
        } catch (IllegalArgumentException e) {
            // An endpoint without a valid address cannot receive requests.
        }
    }
}
