package dev.lychgate.server.cli;

import dev.lychgate.config.ConfigException;
import dev.lychgate.config.GatewayConfig;
import dev.lychgate.filters.groovy.CompileReport;
import dev.lychgate.server.admin.ProcessUpgrade;
import dev.lychgate.server.engine.GatewayEngine;
import dev.lychgate.server.engine.RunningGateway;
import dev.lychgate.server.engine.StartException;
import dev.lychgate.server.explain.Explanation;
import dev.lychgate.server.explain.Inquiry;
import dev.lychgate.server.handover.SharedSockets;
import dev.lychgate.server.yaml.Environment;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A fake process for commands, with an engine that records its calls. */
final class Terminal implements GatewayEngine {
    final Map<String, String> environment = new HashMap<>();
    final List<ConfigException> refusals = new ArrayList<>();
    final List<String> warnings = new ArrayList<>();
    final List<String> unwise = new ArrayList<>();
    final List<Thread> onShutdown = new ArrayList<>();
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Nullable
    GatewayConfig started;

    @Nullable
    StartException cannotStart;

    boolean breaksDown;

    int run(String... args) {
        return LychgateCommand.execute(surroundings(), args);
    }

    Surroundings surroundings() {
        return new Surroundings(
                this, environment::get, new PrintWriter(out), new PrintWriter(err), onShutdown::add, Signals.NONE);
    }

    String out() {
        return out.toString();
    }

    String err() {
        return err.toString();
    }

    GatewayConfig started() {
        GatewayConfig config = started;
        if (config == null) {
            throw new AssertionError("nothing was started: " + err());
        }
        return config;
    }

    @Override
    public List<ConfigException> faults(GatewayConfig config) {
        return refusals;
    }

    @Override
    public List<String> warnings(GatewayConfig config) {
        return warnings;
    }

    @Override
    public List<String> check(Path file, Environment environment, Consumer<CompileReport> times) throws StartException {
        if (cannotStart != null) {
            throw cannotStart;
        }
        return unwise;
    }

    @Override
    public RunningGateway start(Path file, Environment environment, GatewayConfig config) throws StartException {
        if (cannotStart != null) {
            throw cannotStart;
        }
        started = config;
        return new Closed(breaksDown);
    }

    @Override
    public Explanation explain(Path file, Environment environment, GatewayConfig config, Inquiry inquiry) {
        String request = inquiry.method() + " " + inquiry.host() + " " + inquiry.path() + " " + inquiry.query();
        var met = new Explanation.Meets(
                config.routes().get(0).id(), "is met", List.of(), List.of(), List.of(), null, null);
        return new Explanation(request, null, null, List.of(), List.of(met), List.of(), null);
    }

    private record Closed(boolean isBroken) implements RunningGateway {
        @Override
        public List<Bound> listeners() {
            return List.of(new Bound("main", new InetSocketAddress(InetAddress.getLoopbackAddress(), 8080)));
        }

        @Override
        public InetSocketAddress admin() {
            return new InetSocketAddress(InetAddress.getLoopbackAddress(), 8081);
        }

        @Override
        public boolean drain(Duration atMost) {
            return true;
        }

        @Override
        public void awaitClosed() {}

        @Override
        public boolean isDraining() {
            return false;
        }

        @Override
        public void endDrain() {}

        @Override
        public void reload() {}

        @Override
        public void reopenLogs() {}

        @Override
        public SharedSockets sockets() {
            throw new UnsupportedOperationException("no sockets");
        }

        @Override
        public Duration drainTimeout() {
            return Duration.ZERO;
        }

        @Override
        public void onSettings(Consumer<GatewayConfig> action) {}

        @Override
        public void onUpgrade(ProcessUpgrade action) {}
    }
}
