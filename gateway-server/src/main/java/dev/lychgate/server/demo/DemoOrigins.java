package dev.lychgate.server.demo;

import dev.lychgate.server.engine.StartException;
import dev.lychgate.server.origin.DemoOrigin;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;

/** The origins of the demo, on free ports of the loopback. */
final class DemoOrigins implements AutoCloseable {
    private static final String ADDRESS = "127.0.0.1";

    /** By the variable of {@code demo.yml} that holds the port. */
    private static final Map<String, String> NAMES =
            Map.of("DEMO_ORIGIN_1", "demo-1", "DEMO_ORIGIN_2", "demo-2", "DEMO_ORIGIN_CANARY", "demo-canary");

    private final List<DemoOrigin> origins = new ArrayList<>();
    private final Map<String, String> ports = new HashMap<>();

    private DemoOrigins() {}

    /** @param clock nanoseconds; decides when the origins fail */
    static DemoOrigins start(LongSupplier clock) throws StartException {
        DemoOrigins started = new DemoOrigins();
        DemoFaults faults = new DemoFaults(clock);
        try {
            NAMES.forEach((variable, name) -> started.add(variable, name, faults));
            return started;
        } catch (UncheckedIOException e) {
            started.close();
            Throwable cause = e.getCause();
            throw StartException.unbound("origin", ADDRESS + ":0", cause == null ? e : cause);
        }
    }

    private void add(String variable, String name, UnaryOperator<String> faults) {
        DemoOrigin origin = DemoOrigin.start(new DemoOrigin.Settings(name, ADDRESS, 0, 1), faults);
        origins.add(origin);
        ports.put(variable, Integer.toString(origin.port()));
    }

    /** The ports, by the variable of {@code demo.yml} that holds each. */
    Map<String, String> ports() {
        return ports;
    }

    /** Where {@code Customer.groovy} looks customers up. */
    String customers() {
        return "http://" + ADDRESS + ":" + ports.get("DEMO_ORIGIN_2") + "/customers/";
    }

    @Override
    public void close() {
        origins.forEach(DemoOrigin::close);
    }
}
