package dev.lychgate.config;

import java.util.Map;

/** One endpoint of an upstream. If the URL has a host name, each of its IP addresses is a separate endpoint. */
public record EndpointConfig(
        EndpointAddress address,
        int weight,
        String zone,
        int priority,
        Map<String, String> metadata,
        String host,
        String name,
        EndpointReadiness readiness) {
    public static final int MAX_WEIGHT = 1000;

    public static final int MAX_PRIORITY = EndpointKeys.MAX_PRIORITY;

    static final String URL_FORM = "https?://[^/?#@]+/?";

    private static final Key<EndpointAddress> ADDRESS = Key.typed(
                    "url", Form.text("URL", EndpointAddress::parse).looking(URL_FORM), null)
            .absent("-")
            .about("the endpoint's address, with neither path nor query; each IP address of a host name becomes an "
                    + "endpoint, see [names](balancing.md#names); exactly one of `url`, `srv` and `from` is required");
    private static final Key<Integer> WEIGHT = Key.number("weight", 1)
            .between(1, MAX_WEIGHT)
            .about("the share of the traffic, relative to the other endpoints");
    private static final Key<String> ZONE = EndpointKeys.ZONE;
    private static final Key<Integer> PRIORITY = EndpointKeys.PRIORITY;
    private static final Key<Map<String, String>> METADATA = EndpointKeys.METADATA;
    private static final Key<String> HOST = Key.typed("host", Form.TEXT.matching(Form.HOST_FIELD), "")
            .absent("-")
            .about(
                    "with `url`: the Host field of requests with `set-host: origin` and of active checks; by default the "
                            + "host and port of the URL");

    public EndpointConfig {
        ZONE.check(zone);
        WEIGHT.check(weight);
        PRIORITY.check(priority);
        metadata = Expect.copy(metadata);
        if (!host.isEmpty()) {
            HOST.check(host);
        }
    }

    /**
     * Reads an item of {@code endpoints}: an endpoint, a service in DNS or a discovered service. Returns null if the
     * address or the name of the item was refused.
     */
    @SuppressWarnings("NullAway")
    static Record read(Key.Values values) {
        values.exactlyOne("url", "srv", "from");
        values.excludes("weight", "srv", "the weights of the SRV records");
        values.excludes("host", "srv", "the target names of the SRV records");
        values.excludes("weight", "from", "the weights of the source");
        values.excludes("host", "from", "the addresses of the endpoints");
        values.needs("service", "from");
        values.needs("port", "from");
        values.needs("from", "service");
        EndpointAddress url = values.get(ADDRESS);
        String srv = values.get(ServiceConfig.NAME);
        String from = values.get(DiscoveredConfig.FROM);
        String service = values.get(DiscoveredConfig.SERVICE);
        String port = values.get(DiscoveredConfig.PORT);
        String host = values.get(HOST);
        int weight = values.get(WEIGHT);
        String zone = values.get(ZONE);
        int priority = values.get(PRIORITY);
        Map<String, String> metadata = values.get(METADATA);
        if (values.has("srv")) {
            return srv == null ? null : new ServiceConfig(srv, zone, priority, metadata);
        }
        if (values.has("from")) {
            return from == null || service == null
                    ? null
                    : new DiscoveredConfig(from, service, port, zone, priority, metadata);
        }
        return url == null ? null : new EndpointConfig(url, weight, zone, priority, metadata, host);
    }

    /** Creates a ready endpoint that is configured, not resolved from a name. */
    public EndpointConfig(
            EndpointAddress address, int weight, String zone, int priority, Map<String, String> metadata, String host) {
        this(address, weight, zone, priority, metadata, host, "", EndpointReadiness.READY);
    }

    /** Creates an endpoint whose {@link #hostField} is the host and port of its address. */
    public EndpointConfig(
            EndpointAddress address, int weight, String zone, int priority, Map<String, String> metadata) {
        this(address, weight, zone, priority, metadata, "");
    }

    /** Creates an endpoint with the defaults. */
    public EndpointConfig(EndpointAddress address) {
        this(address, 1, "", 0, Map.of());
    }

    /** Creates an endpoint with the defaults. */
    public EndpointConfig(String host, int port) {
        this(new EndpointAddress(host, port));
    }

    /**
     * Reads the URL of an endpoint; all other components have their defaults.
     *
     * @throws IllegalArgumentException if the text is malformed; the message states the expected form
     */
    public static EndpointConfig parse(String url) {
        return new EndpointConfig(EndpointAddress.parse(url));
    }

    /** Returns this endpoint with another weight. */
    public EndpointConfig withWeight(int other) {
        return new EndpointConfig(address, other, zone, priority, metadata, host, name, readiness);
    }

    /**
     * Returns this endpoint with its host name replaced by {@code ip}, one of the IP addresses of the host. The Host
     * field and the TLS name do not change.
     */
    public EndpointConfig at(String ip) {
        return new EndpointConfig(address.at(ip), weight, zone, priority, metadata, hostField(), tlsHost(), readiness);
    }

    /** Returns host and port of the address, such as {@code 10.0.0.1:9000} or {@code [::1]:9000}. */
    public String authority() {
        return address.authority();
    }

    /** Returns the host name or IP address that the certificate must match by default. */
    public String tlsHost() {
        return name.isEmpty() ? address.host() : name;
    }

    /** Returns the value of the Host field for requests with {@code set-host: origin} and for active checks. */
    public String hostField() {
        return host.isEmpty() ? address.authority() : host;
    }

    @Override
    public String toString() {
        return address.toString();
    }
}
