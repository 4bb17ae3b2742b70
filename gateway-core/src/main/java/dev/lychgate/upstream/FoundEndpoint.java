package dev.lychgate.upstream;

import dev.lychgate.config.DiscoveredConfig;
import dev.lychgate.config.EndpointAddress;
import dev.lychgate.config.EndpointConfig;
import dev.lychgate.config.EndpointReadiness;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * An endpoint that a source of discovered services reports.
 *
 * @param host an IP address (IPv6 without brackets) or a host name, in its normalized form
 * @param port 1 to 65535
 * @param weight 1 to {@value EndpointConfig#MAX_WEIGHT}
 * @param zone the zone; empty = unknown
 * @param priority 0 to {@value EndpointConfig#MAX_PRIORITY}
 * @param readiness whether the endpoint gets new requests
 * @param metadata the metadata by which routes can select a subset
 */
public record FoundEndpoint(
        String host,
        int port,
        int weight,
        String zone,
        int priority,
        EndpointReadiness readiness,
        Map<String, String> metadata) {
    private static final int MOST_METADATA = 64;
    private static final int LONGEST_METADATA = 256;
    private static final String ZONE = "[A-Za-z0-9][A-Za-z0-9._-]{0,63}";

    public FoundEndpoint {
        metadata = Map.copyOf(metadata);
    }

    /** Returns a ready endpoint with the default weight and priority, without a zone and without metadata. */
    public static FoundEndpoint of(String host, int port) {
        return of(host, port, 1, "", 0, EndpointReadiness.READY, Map.of());
    }

    /**
     * Creates an endpoint from the values that a source reports. Limits the weight and the priority, and omits a
     * malformed zone. Omits metadata beyond the limits, because a source must not be able to exhaust the memory.
     *
     * @throws IllegalArgumentException if the host or the port is malformed; the message states the expected form
     */
    public static FoundEndpoint of(
            String host,
            int port,
            double weight,
            String zone,
            double priority,
            EndpointReadiness readiness,
            Map<String, String> metadata) {
        EndpointAddress address = EndpointAddress.of(host, port, false);
        Map<String, String> kept = new LinkedHashMap<>();
        metadata.forEach((name, value) -> {
            boolean fits = name.length() <= LONGEST_METADATA && value.length() <= LONGEST_METADATA;
            if (fits && kept.size() < MOST_METADATA) {
                kept.put(name, value);
            }
        });
        return new FoundEndpoint(
                address.host(),
                port,
                (int) Math.max(1, Math.min(EndpointConfig.MAX_WEIGHT, weight)),
                zone.matches(ZONE) ? zone : "",
                (int) Math.max(0, Math.min(EndpointConfig.MAX_PRIORITY, priority)),
                readiness,
                kept);
    }

    public boolean isReady() {
        return readiness == EndpointReadiness.READY;
    }

    /**
     * Returns the address, which identifies the endpoint among the endpoints of its service. The address does not state
     * whether connections use TLS.
     */
    public EndpointAddress address() {
        return new EndpointAddress(host, port);
    }

    /**
     * Converts this endpoint to an endpoint of an upstream.
     *
     * @param secure whether connections use TLS
     */
    EndpointConfig endpoint(DiscoveredConfig of, boolean secure) {
        Map<String, String> all = new LinkedHashMap<>(metadata);
        all.putAll(of.metadata());
        return new EndpointConfig(
                new EndpointAddress(host, port, secure),
                weight,
                zone.isEmpty() ? of.zone() : zone,
                Math.min(EndpointConfig.MAX_PRIORITY, of.priority() + priority),
                all,
                "",
                "",
                readiness);
    }
}
