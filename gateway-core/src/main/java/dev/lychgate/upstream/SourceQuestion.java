package dev.lychgate.upstream;

import dev.lychgate.config.DiscoveredConfig;
import dev.lychgate.config.SourceConfig;
import java.util.Objects;

/**
 * A service at a source. Questions with different settings of the source are different: two generations may read one
 * service from different sources at the same time, and must not share results.
 *
 * @param source the name of the source
 * @param settings the settings of the source
 * @param service the name of the service at the source
 * @param port the name of the port; empty = the only one
 */
public record SourceQuestion(String source, SourceConfig settings, String service, String port) {
    /** Returns the question of a configured service. */
    public static SourceQuestion of(DiscoveredConfig item) {
        SourceConfig settings = Objects.requireNonNull(item.source(), "GatewayConfig sets the source");
        return new SourceQuestion(item.from(), settings, item.service(), item.port());
    }

    /** Returns whether both questions concern the same service, so that they may have the same endpoints. */
    boolean isForSameAs(SourceQuestion other) {
        return source.equals(other.source) && service.equals(other.service) && port.equals(other.port);
    }

    /** Returns the service, with the name of the port if there is one. */
    public String serviceAndPort() {
        return port.isEmpty() ? service : service + ":" + port;
    }

    @Override
    public String toString() {
        return source + "/" + serviceAndPort();
    }
}
