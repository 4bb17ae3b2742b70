package dev.lychgate.server.demo;

import dev.lychgate.server.engine.RunningGateway;
import dev.lychgate.server.engine.StartException;
import dev.lychgate.server.origin.DemoOrigin;
import dev.lychgate.server.yaml.Environment;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** All parts of a demo except the gateway: its origins, its files, and its traffic. */
public final class Demo implements AutoCloseable {
    private static final String CUSTOMERS = "lychgate.demo.customers";
    private static final String ADDRESS = "127.0.0.1";
    /**
     * Maps each variable of {@code demo.yml} that contains a port to the name of the origin that listens on the port.
     */
    private static final Map<String, String> ORIGINS =
            Map.of("DEMO_ORIGIN_1", "demo-1", "DEMO_ORIGIN_2", "demo-2", "DEMO_ORIGIN_CANARY", "demo-canary");

    private final List<DemoOrigin> origins;
    private final DemoFiles files;
    private final Map<String, String> variables;
    private volatile @Nullable DemoTraffic traffic;

    private Demo(List<DemoOrigin> origins, DemoFiles files, Map<String, String> variables) {
        this.origins = origins;
        this.files = files;
        this.variables = variables;
    }

    /**
     * Starts the origins and writes the files.
     *
     * @param directory the directory of the files; null for a temporary directory
     * @param port the port of the gateway
     * @param adminPort the port of its admin listener
     * @param clock the clock that decides when the origins fail, in nanoseconds like {@link System#nanoTime}
     * @throws StartException if the files can't be written or an origin can't start; in this case, all origins are
     *     closed
     */
    public static Demo start(@Nullable Path directory, int port, int adminPort, LongSupplier clock)
            throws StartException {
        List<DemoOrigin> origins = new ArrayList<>();
        Map<String, String> variables = new HashMap<>();
        DemoFaults faults = new DemoFaults(clock);
        try {
            ORIGINS.forEach((variable, name) -> {
                DemoOrigin origin = DemoOrigin.start(new DemoOrigin.Settings(name, ADDRESS, 0, 1), faults);
                origins.add(origin);
                variables.put(variable, Integer.toString(origin.port()));
            });
            variables.put("DEMO_PORT", Integer.toString(port));
            variables.put("DEMO_ADMIN_PORT", Integer.toString(adminPort));
            DemoFiles files = DemoFiles.write(directory, variables);
            // The filter Customer.groovy looks up customers at this address.
            System.setProperty(CUSTOMERS, "http://" + ADDRESS + ":" + variables.get("DEMO_ORIGIN_2") + "/customers/");
            return new Demo(origins, files, variables);
        } catch (UncheckedIOException e) {
            origins.forEach(DemoOrigin::close);
            Throwable cause = e.getCause();
            throw StartException.unbound("origin", ADDRESS + ":0", cause == null ? e : cause);
        } catch (StartException | RuntimeException e) {
            origins.forEach(DemoOrigin::close);
            throw e;
        }
    }

    /** Returns the configuration file. The filters are in the directory {@code filters} next to this file. */
    public Path config() {
        return files.config();
    }

    /** Returns whether the files are removed when the demo is closed. */
    public boolean isTemporary() {
        return files.isTemporary();
    }

    /**
     * Returns {@code outer} with additional variables for the ports of this demo. These variables override the defaults
     * in the configuration file.
     */
    public Environment environment(Environment outer) {
        return name -> variables.containsKey(name) ? variables.get(name) : outer.get(name);
    }

    /** Starts to send requests to {@code gateway}. The traffic ends when the gateway drains or the demo is closed. */
    public void drive(RunningGateway gateway) {
        traffic = DemoTraffic.start(gateway);
    }

    public static int requestsPerSecond() {
        return DemoTraffic.REQUESTS_PER_SECOND;
    }

    /** Ends the traffic, closes the origins, and removes temporary files. Thread-safe; a second call has no effect. */
    @Override
    public synchronized void close() {
        DemoTraffic running = traffic;
        if (running != null) {
            running.close();
        }
        origins.forEach(DemoOrigin::close);
        files.close();
    }
}
