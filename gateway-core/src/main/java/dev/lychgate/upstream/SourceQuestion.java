package dev.lychgate.upstream;

import dev.lychgate.config.DiscoveredConfig;
import dev.lychgate.config.SourceConfig;
import java.util.Objects;

/**
 * Identifies a service whose endpoints a source reports. Questions with different settings of the source are not equal,
 * because two generations may read one service from two sources, and must not share the results.
 *
 * @param source the name of the source
 * @param settings the settings of the source
 * @param service the name of the service at the source
 * @param port the name of the port; empty if the service has one port
 */
public record SourceQuestion(String source, SourceConfig settings, String service, String port) {
    /** Returns the question for a configured service. */
    public static SourceQuestion of(DiscoveredConfig item) {
        SourceConfig settings = Objects.requireNonNull(item.source(), "GatewayConfig sets the source");
        return new SourceQuestion(item.from(), settings, item.service(), item.port());
    }

    /** Returns whether both questions are for the same service, so that they may have the same endpoints. */
    boolean isForSameAs(SourceQuestion other) {
        return source.equals(other.source) && service.equals(other.service) && port.equals(other.port);
    }

    /** Returns the name of the service, followed by the name of the port if the question contains one. */
    public String serviceAndPort() {
        return port.isEmpty() ? service : service + ":" + port;
    }

    @Override
    public String toString() {
        return source + "/" + serviceAndPort();
    }
}
