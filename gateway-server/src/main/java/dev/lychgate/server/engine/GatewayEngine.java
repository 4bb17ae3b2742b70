package dev.lychgate.server.engine;

import dev.lychgate.config.ConfigException;
import dev.lychgate.config.GatewayConfig;
import dev.lychgate.filters.groovy.CompileTimes;
import dev.lychgate.server.explain.Explanation;
import dev.lychgate.server.explain.Inquiry;
import dev.lychgate.server.yaml.Environment;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;

/** Creates gateways from settings. Confined to one thread. */
public interface GatewayEngine {
    /**
     * Builds the gateway except for bound ports and reports errors, for example the pattern of a route that does not
     * compile.
     *
     * @return all errors, with full paths as keys: {@code routes[2].match.path}; empty if there are none
     */
    List<ConfigException> faults(GatewayConfig config);

    /**
     * Binds the ports, serves, and from then on follows changes of the file and its filters.
     *
     * @param file source of {@code config}
     * @throws StartException with one line for the user; no port remains bound
     */
    RunningGateway start(Path file, Environment environment, GatewayConfig config) throws StartException;

    /**
     * Explains which route and filters apply to a request, and why, including filters of the file's directory.
     *
     * @param file source of {@code config}
     */
    Explanation explain(Path file, Environment environment, GatewayConfig config, Inquiry inquiry);

    /** Returns warnings about valid but probably unintended settings, one sentence each. */
    default List<String> warnings(GatewayConfig config) {
        return List.of();
    }

    /**
     * Compiles the filters of the file's directory, too.
     *
     * @param times gets the times of the compilation, if there is a directory
     * @return warnings about the directory, one sentence each
     * @throws StartException with a line for each error
     */
    default List<String> check(Path file, Environment environment, Consumer<CompileTimes> times) throws StartException {
        return List.of();
    }
}
