package dev.lychgate.server.demo;

import dev.lychgate.server.engine.RunningGateway;
import dev.lychgate.server.engine.StartException;
import dev.lychgate.server.yaml.Environment;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Everything of a demo but the gateway: its origins, its files, and its traffic. */
public final class Demo implements AutoCloseable {
    private static final String CUSTOMERS = "lychgate.demo.customers";

    private final DemoOrigins origins;
    private final DemoFiles files;
    private final Map<String, String> variables;
    private volatile @Nullable DemoTraffic traffic;

    private Demo(DemoOrigins origins, DemoFiles files, Map<String, String> variables) {
        this.origins = origins;
        this.files = files;
        this.variables = variables;
    }

    /**
     * Starts the origins and writes the files.
     *
     * @param directory where the files are kept; null = a temporary directory
     * @param port of the gateway
     * @param adminPort of its admin listener
     * @param clock nanoseconds, as {@link System#nanoTime}: when the origins fail
     * @throws StartException if the directory can't be written; nothing is left running
     */
    public static Demo start(@Nullable Path directory, int port, int adminPort, LongSupplier clock)
            throws StartException {
        DemoOrigins origins = DemoOrigins.start(clock);
        try {
            Map<String, String> variables = new HashMap<>(origins.ports());
            variables.put("DEMO_PORT", Integer.toString(port));
            variables.put("DEMO_ADMIN_PORT", Integer.toString(adminPort));
            DemoFiles files = DemoFiles.write(directory, variables);
            System.setProperty(CUSTOMERS, origins.customers());
            return new Demo(origins, files, variables);
        } catch (StartException | RuntimeException e) {
            origins.close();
            throw e;
        }
    }

    /** The configuration file. Its filters are beside it, in {@code filters}. */
    public Path config() {
        return files.config();
    }

    /** Whether the files are removed with the demo. */
    public boolean isTemporary() {
        return files.isTemporary();
    }

    /** {@code outer} with the ports of this demo, which win over the defaults in the file. */
    public Environment environment(Environment outer) {
        return name -> variables.containsKey(name) ? variables.get(name) : outer.get(name);
    }

    /** Starts to send requests to {@code gateway}, until it drains or the demo is closed. */
    public void drive(RunningGateway gateway) {
        traffic = DemoTraffic.start(gateway);
    }

    /** Requests per second of the traffic. */
    public static int requestsPerSecond() {
        return DemoTraffic.REQUESTS_PER_SECOND;
    }

    /** Ends traffic and origins, and removes temporary files. Any thread may call it; a second call does nothing. */
    @Override
    public synchronized void close() {
        DemoTraffic running = traffic;
        if (running != null) {
            running.close();
        }
        origins.close();
        files.close();
    }
}
