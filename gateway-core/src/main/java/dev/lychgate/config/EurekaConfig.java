package dev.lychgate.config;

import java.time.Duration;
import java.util.function.Supplier;

/**
 * A source of endpoints in Eureka.
 *
 * @param server the connection to the servers; the gateway appends {@code apps} to the path of each URL
 * @param interval the interval between two requests for changes
 */
public record EurekaConfig(RegistryConfig server, Duration interval) {
    private static final Key<Duration> INTERVAL = Key.duration("interval", "10s")
            .between("1s", "10m")
            .about("the interval between two requests for changes; Eureka itself delays changes by up to 30 s");

    public EurekaConfig {
        INTERVAL.check(interval);
    }

    static EurekaConfig read(Key.Values values) {
        Supplier<RegistryConfig> server = RegistryConfig.read(values);
        Duration interval = values.get(INTERVAL);
        return new EurekaConfig(server.get(), interval);
    }
}
