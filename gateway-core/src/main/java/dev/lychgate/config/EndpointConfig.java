package dev.lychgate.config;

import java.util.Map;

/**
 * One endpoint of an upstream; where the address is a host name, one for each address the name has.
 *
 * @param address where it listens
 * @param weight its share of the traffic, relative to the other endpoints'; 1 to 1000, default 1
 * @param zone where it stands, such as a data centre; empty = not said, the default
 * @param priority endpoints of a lower number are used first, those of a higher one when too few of the former are left; 0
 *     to 100, default 0
 * @param metadata what routes may choose a subset by, such as a version; default none
 * @param host what stands in a Host field that is to name the origin; empty = host and port of the address, the default
 * @param name the host name whose address it is, which its certificate is for; empty = the address says it itself
 */
public record EndpointConfig(
        EndpointAddress address,
        int weight,
        String zone,
        int priority,
        Map<String, String> metadata,
        String host,
        String name) {
    public static final int MAX_WEIGHT = 1000;
    public static final int MAX_PRIORITY = 100;

    public EndpointConfig {
        Expect.between(1, MAX_WEIGHT, "weight", weight);
        Expect.nameOrEmpty("zone", zone);
        Expect.between(0, MAX_PRIORITY, "priority", priority);
        metadata = Expect.copy(metadata);
        if (!host.isEmpty()) {
            Expect.hostField("host", host);
        }
    }

    /** An endpoint that no name has led to. */
    public EndpointConfig(
            EndpointAddress address, int weight, String zone, int priority, Map<String, String> metadata, String host) {
        this(address, weight, zone, priority, metadata, host, "");
    }

    /** An endpoint that is called by its address. */
    public EndpointConfig(
            EndpointAddress address, int weight, String zone, int priority, Map<String, String> metadata) {
        this(address, weight, zone, priority, metadata, "");
    }

    /** An endpoint with every default. */
    public EndpointConfig(EndpointAddress address) {
        this(address, 1, "", 0, Map.of());
    }

    /** An endpoint with every default. */
    public EndpointConfig(String host, int port) {
        this(new EndpointAddress(host, port));
    }

    /**
     * Reads a URL; everything else is as by default.
     *
     * @throws IllegalArgumentException with what was expected
     */
    public static EndpointConfig parse(String url) {
        return new EndpointConfig(EndpointAddress.parse(url));
    }

    /** This endpoint with another weight. */
    public EndpointConfig withWeight(int other) {
        return new EndpointConfig(address, other, zone, priority, metadata, host, name);
    }

    /** This endpoint at one of the addresses that its name has: still called by that name. */
    public EndpointConfig at(String ip) {
        return new EndpointConfig(address.at(ip), weight, zone, priority, metadata, hostField(), tlsHost());
    }

    /** Host and port of its address: {@code 10.0.0.1:9000}, {@code [::1]:9000}. */
    public String authority() {
        return address.authority();
    }

    /** The host name, or IP address, that its certificate is to be for if nothing else is said. */
    public String tlsHost() {
        return name.isEmpty() ? address.host() : name;
    }

    /** What stands in a Host field that is to name the origin. */
    public String hostField() {
        return host.isEmpty() ? address.authority() : host;
    }

    @Override
    public String toString() {
        return address.toString();
    }
}
