package dev.lychgate.config;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A service whose endpoints come from a source of discovery, such as Consul. The source determines the addresses,
 * weights and readiness of the endpoints.
 *
 * @param from the name of the source in {@code discovery.sources}
 * @param service the name of the service at the source
 * @param port the name of the port, if the source reports several ports for an endpoint; empty (the default) = the
 *     endpoint has only one port
 * @param zone the zone of endpoints for which the source reports no zone; empty (the default) = their zone is unknown
 * @param priority a number from 0 to 100 that is added to the priority of each endpoint; default 0
 * @param metadata metadata of all endpoints, in addition to the metadata that the source reports; default none
 * @param source the settings of the source; null until the whole configuration has been read
 */
public record DiscoveredConfig(
        String from,
        String service,
        String port,
        String zone,
        int priority,
        Map<String, String> metadata,
        @Nullable SourceConfig source)
        implements WrittenConfig.Section {
    static final Key<String> FROM = Key.typed("from", Form.NAMED, null)
            .absent("-")
            .about("the name of a source in `discovery.sources`, which reports the endpoints of `service`; see"
                    + " [discovery](discovery.md)");
    static final Key<String> SERVICE = Key.text("service")
            .matching(
                    "[A-Za-z0-9_][A-Za-z0-9._-]{0,127}",
                    "a name of at most 128 characters: letters, digits, '.', '_' and '-'")
            .absent("-")
            .about("with `from`: the name of the service at the source");

    static final Key<String> PORT = Key.typed("port", Form.NAMED_OR_NONE, "")
            .absent("the only port")
            .about("with `from`: the name of the port, if the source reports several ports for an endpoint");

    static final Key<String> ZONE = EndpointKeys.ZONE;
    static final Key<Integer> PRIORITY = EndpointKeys.PRIORITY;
    static final Key<Map<String, String>> METADATA = EndpointKeys.METADATA;

    public DiscoveredConfig {
        FROM.check(from);
        SERVICE.check(service);
        PORT.check(port);
        ZONE.check(zone);
        PRIORITY.check(priority);
        metadata = Expect.copy(metadata);
    }

    /** Creates a service without the settings of its source; {@link #at} adds these settings. */
    public DiscoveredConfig(
            String from, String service, String port, String zone, int priority, Map<String, String> metadata) {
        this(from, service, port, zone, priority, metadata, null);
    }

    /** Creates a service at the source {@code from}, with the defaults for all other components. */
    public DiscoveredConfig(String from, String service) {
        this(from, service, "", "", 0, Map.of());
    }

    /** Returns this service with the settings of its source. */
    public DiscoveredConfig at(SourceConfig settings) {
        return new DiscoveredConfig(from, service, port, zone, priority, metadata, settings);
    }

    @Override
    public void complete(Map<String, @Nullable Object> section) {
        // The settings of the source are written once, in discovery.sources.
        section.keySet()
                .retainAll(List.of(
                        FROM.name(), SERVICE.name(), PORT.name(), ZONE.name(), PRIORITY.name(), METADATA.name()));
    }

    @Override
    public String toString() {
        return from + "/" + service + (port.isEmpty() ? "" : ":" + port);
    }
}
