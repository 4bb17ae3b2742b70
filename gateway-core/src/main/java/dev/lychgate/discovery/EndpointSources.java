package dev.lychgate.discovery;

import dev.lychgate.config.ConfigException;
import dev.lychgate.config.SourceConfig;
import java.nio.file.Path;
import java.util.ServiceLoader;

/**
 * Creates the sources of endpoints. The implementation is found by {@link ServiceLoader}, so that the data plane
 * depends on no kind of source.
 */
public interface EndpointSources {
    /**
     * Creates a source. May read certificates, but opens no connection.
     *
     * @param name the name of the source, for threads and log lines
     * @throws ConfigException if the settings are unusable; the message names a key of the settings
     */
    EndpointSource open(String name, SourceConfig settings);

    /**
     * Returns an object that stores the last reported endpoints of each service in {@code directory}. Creates the
     * directory if necessary.
     */
    LastSets lastSets(Path directory);

    /**
     * Returns the installed implementation.
     *
     * @throws ConfigException if no implementation is installed, because the gateway is embedded without the module
     *     {@code gateway-server}
     */
    static EndpointSources installed() {
        return ServiceLoader.load(EndpointSources.class, EndpointSources.class.getClassLoader())
                .findFirst()
                .orElseThrow(() -> new ConfigException(
                        "discovery", "no implementation", "the module gateway-server on the class path"));
    }
}
