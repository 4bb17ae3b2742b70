package dev.lychgate.server.engine;

import dev.lychgate.config.ConfigException;
import dev.lychgate.config.GatewayConfig;
import dev.lychgate.filters.groovy.CompileReport;
import dev.lychgate.server.explain.Explanation;
import dev.lychgate.server.explain.Inquiry;
import dev.lychgate.server.yaml.Environment;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;

/** Creates gateways from settings. Not thread-safe. */
public interface GatewayEngine {
    /**
     * Builds the gateway without binding its ports, and returns the errors, for example a malformed pattern of a route.
     *
     * @return all errors, with full paths such as {@code routes[2].match.path} as keys; empty if there are none
     */
    List<ConfigException> faults(GatewayConfig config);

    /**
     * Starts a gateway: binds the ports, serves, and follows changes of the file and its filters.
     *
     * @param file source of {@code config}
     * @throws StartException if the start fails; the message is one line for the user, and no port remains bound
     */
    RunningGateway start(Path file, Environment environment, GatewayConfig config) throws StartException;

    /**
     * Explains which route and filters apply to a request, and why. The filters of the filter directory are included.
     *
     * @param file source of {@code config}
     */
    Explanation explain(Path file, Environment environment, GatewayConfig config, Inquiry inquiry);

    /** Returns warnings about valid but probably unintended settings, one sentence each. */
    default List<String> warnings(GatewayConfig config) {
        return List.of();
    }

    /**
     * Compiles the filters of the filter directory, and checks the configuration together with them.
     *
     * @param report receives the times of the compilation, if there is a filter directory
     * @return warnings about the filter directory, one sentence each
     * @throws StartException if there are errors; the message has a line for each error
     */
    default List<String> check(Path file, Environment environment, Consumer<CompileReport> report)
            throws StartException {
        return List.of();
    }
}
