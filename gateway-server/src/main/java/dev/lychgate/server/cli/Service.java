package dev.lychgate.server.cli;

import ch.qos.logback.classic.LoggerContext;
import dev.lychgate.config.BindAddress;
import dev.lychgate.config.GatewayConfig;
import dev.lychgate.config.IpLiteral;
import dev.lychgate.server.applog.LogFiles;
import dev.lychgate.server.engine.RunningGateway;
import dev.lychgate.server.engine.StartException;
import java.lang.management.ManagementFactory;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A gateway from its start to its end, within a command. */
final class Service {
    private static final Logger LOG = LoggerFactory.getLogger(Service.class);

    private Service() {}

    /** How a gateway is started. */
    interface Start {
        RunningGateway start() throws StartException;
    }

    /**
     * Starts a gateway, says where it listens, and waits until it is closed.
     *
     * @param start starts the gateway
     * @param started told once everything is bound
     * @param drained run behind the draining
     * @return the exit code
     */
    static int serve(
            Surroundings surroundings,
            GatewayConfig config,
            Start start,
            Consumer<RunningGateway> started,
            Runnable drained)
            throws StartException, InterruptedException {
        RunningGateway gateway = start.start();
        surroundings.onShutdown().accept(shutdown(() -> {
            endDrainOnSecondSignal(surroundings.signals(), gateway);
            return end(gateway, config, drained);
        }));
        surroundings.signals().on("USR1", () -> {
            LOG.info("SIGUSR1: log files are opened anew");
            gateway.reopenLogs();
            LogFiles.reopen();
        });
        surroundings.signals().on("HUP", gateway::reload);
        LOG.info("ready after {} ms", ManagementFactory.getRuntimeMXBean().getUptime());
        started.accept(gateway);
        gateway.awaitClosed();
        // Drained already, or broken: what is asked is only whether anything was cut.
        return gateway.isBroken() ? ExitCode.INTERNAL : gateway.drain(Duration.ZERO) ? ExitCode.OK : ExitCode.FAILED;
    }

    /** The first one was the JVM's, which runs this; a second one would wait for the first, and change nothing. */
    private static void endDrainOnSecondSignal(Signals signals, RunningGateway gateway) {
        for (String name : List.of("TERM", "INT")) {
            signals.on(name, () -> {
                LOG.warn("SIG{} while draining: what still runs is cut", name);
                gateway.endDrain();
            });
        }
    }

    private static int end(RunningGateway gateway, GatewayConfig config, Runnable drained) {
        if (gateway.isBroken()) {
            // What is left serves a part of its clients only; whoever watches the process shall start a whole one.
            LOG.error("the gateway broke down, the process ends");
            drain(gateway, config, drained);
            return ExitCode.INTERNAL;
        }
        return drain(gateway, config, drained) ? ExitCode.OK : ExitCode.FAILED;
    }

    private static boolean drain(RunningGateway gateway, GatewayConfig config, Runnable drained) {
        LOG.info("draining, at most {} s", config.drain().toSeconds());
        boolean whole = gateway.drain(config.drain());
        drained.run();
        if (whole) {
            LOG.info("drained, nothing was cut");
        } else {
            LOG.warn("not everything ended in time; the rest was cut");
        }
        return whole;
    }

    /**
     * A thread that stops what runs and then the process, after SIGTERM or SIGINT.
     *
     * @param stop stops, and tells the exit code
     */
    static Thread shutdown(IntSupplier stop) {
        return new Thread(
                () -> {
                    int code = 1;
                    try {
                        code = stop.getAsInt();
                    } finally {
                        flushLogs();
                        // A JVM that ends by a signal exits with 143, whatever its hooks did. Whoever sent SIGTERM
                        // wants to know whether anything was lost, so the code is ours.
                        Runtime.getRuntime().halt(code);
                    }
                },
                "shutdown");
    }

    private static void flushLogs() {
        if (LoggerFactory.getILoggerFactory() instanceof LoggerContext logback) {
            logback.stop();
        }
    }

    static String print(InetSocketAddress address) {
        return new BindAddress(IpLiteral.text(address.getAddress()), address.getPort()).toString();
    }
}
