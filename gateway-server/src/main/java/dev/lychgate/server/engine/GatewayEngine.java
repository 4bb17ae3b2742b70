package dev.lychgate.server.engine;

import dev.lychgate.config.ConfigException;
import dev.lychgate.config.GatewayConfig;
import dev.lychgate.server.explain.Explanation;
import dev.lychgate.server.explain.Inquiry;
import dev.lychgate.server.yaml.Environment;
import java.nio.file.Path;
import java.util.List;

/** Makes gateways from settings. Used by one thread. */
public interface GatewayEngine {
    /**
     * Builds what the settings describe, short of binding ports, and says what can't be built: the pattern of a route
     * that does not compile, for one.
     *
     * @return every fault, its key being the path from the top: {@code routes[2].match.path}; empty if all is well
     */
    List<ConfigException> faults(GatewayConfig config);

    /**
     * Binds and serves, and follows the file and its filters from then on.
     *
     * @param file what {@code config} was read from
     * @throws StartException with one line for the user; nothing is left bound
     */
    RunningGateway start(Path file, Environment environment, GatewayConfig config) throws StartException;

    /**
     * Explains which route and filters a request would meet, and why. The filters of the file's directory are among them.
     *
     * @param file what {@code config} was read from
     */
    Explanation explain(Path file, Environment environment, GatewayConfig config, Inquiry inquiry);

    /** What is allowed in settings that can be used, but hardly meant; one sentence each. */
    default List<String> warnings(GatewayConfig config) {
        return List.of();
    }

    /**
     * Builds the filters of the file's directory, too.
     *
     * @return what can be used, but is unwise about the directory; one sentence each
     * @throws StartException with a line for each fault
     */
    default List<String> check(Path file, Environment environment) throws StartException {
        return List.of();
    }
}
