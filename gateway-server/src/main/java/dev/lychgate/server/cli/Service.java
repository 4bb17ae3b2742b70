package dev.lychgate.server.cli;

import ch.qos.logback.classic.LoggerContext;
import dev.lychgate.config.BindAddress;
import dev.lychgate.config.IpLiteral;
import dev.lychgate.server.applog.LogFiles;
import dev.lychgate.server.engine.RunningGateway;
import dev.lychgate.server.engine.StartException;
import dev.lychgate.server.handover.NotifySocket;
import dev.lychgate.server.handover.Successor;
import java.lang.management.ManagementFactory;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs a gateway within a command: starts it, waits for its end, and drains it on a signal. */
final class Service {
    private static final Logger LOG = LoggerFactory.getLogger(Service.class);
    /** The time in which the old process serves new connections after an upgrade. */
    private static final Duration BEFORE_DRAIN = Duration.ofSeconds(1);

    private Service() {}

    interface Start {
        RunningGateway start() throws StartException;
    }

    /**
     * Starts a gateway, and waits until it is closed.
     *
     * @param started called when all listeners are bound
     * @param drained runs after the drain
     * @return the exit code
     */
    static int serve(Surroundings surroundings, Start start, Consumer<RunningGateway> started, Runnable drained)
            throws StartException, InterruptedException {
        RunningGateway gateway = start.start();
        NotifySocket notify = NotifySocket.of(surroundings.environment().get(NotifySocket.VARIABLE));
        surroundings.onShutdown().accept(shutdown(() -> {
            notify.stopping();
            endDrainOnSecondSignal(surroundings.signals(), gateway);
            return end(gateway, drained);
        }));
        surroundings.signals().on("USR1", () -> {
            LOG.info("SIGUSR1: reopening log files");
            gateway.reopenLogs();
            LogFiles.reopen();
        });
        surroundings.signals().on("HUP", gateway::reload);
        LOG.info("ready after {} ms", ManagementFactory.getRuntimeMXBean().getUptime());
        started.accept(gateway);
        if (!gateway.isDraining()) {
            notify.ready();
        }
        gateway.awaitClosed();
        // The gateway has drained or failed. Therefore, this call of drain returns at once, and reports whether all
        // exchanges completed.
        return gateway.isBroken() ? ExitCode.INTERNAL : gateway.drain(Duration.ZERO) ? ExitCode.OK : ExitCode.FAILED;
    }

    /** Enables the command {@code upgrade}, which replaces the process. */
    static void allowUpgrades(Surroundings surroundings, RunningGateway gateway, Path config) {
        NotifySocket notify = NotifySocket.of(surroundings.environment().get(NotifySocket.VARIABLE));
        // The shutdown hook drains the gateway. Before that, the operator receives the response, and TLS handshakes and
        // first requests complete on the connections that were accepted last.
        Runnable exit = () -> Successor.afterwards(BEFORE_DRAIN, () -> System.exit(ExitCode.OK));
        gateway.onUpgrade(new Upgrade(gateway, config, surroundings.environment(), notify, exit));
    }

    /**
     * Makes a second signal end the drain, which would otherwise ignore this signal. The first signal normally starts
     * the drain. After an upgrade, the drain has started without a signal, and the first signal is only logged. Called
     * by the shutdown hook.
     */
    private static void endDrainOnSecondSignal(Signals signals, RunningGateway gateway) {
        AtomicInteger ignored = new AtomicInteger(Successor.hasTakenOver() ? 1 : 0);
        for (String name : List.of("TERM", "INT")) {
            signals.on(name, () -> {
                if (ignored.getAndDecrement() > 0) {
                    LOG.info("SIG{} while draining after an upgrade: the drain continues", name);
                    return;
                }
                LOG.warn("SIG{} while draining: aborting running exchanges", name);
                gateway.endDrain();
            });
        }
    }

    private static int end(RunningGateway gateway, Runnable drained) {
        if (gateway.isBroken()) {
            // The remaining event loops would serve only some of the clients, so a supervisor must start a new process.
            LOG.error("the gateway failed, because an event loop ended or stalled; ending the process");
            drain(gateway, drained);
            return ExitCode.INTERNAL;
        }
        return drain(gateway, drained) ? ExitCode.OK : ExitCode.FAILED;
    }

    private static boolean drain(RunningGateway gateway, Runnable drained) {
        Duration within = gateway.drainTimeout();
        LOG.info("draining, at most {} s", within.toSeconds());
        boolean whole = gateway.drain(within);
        drained.run();
        if (whole) {
            LOG.info("drained, nothing was aborted");
        } else {
            LOG.warn("drained, but exchanges that had not ended in time were aborted");
        }
        return whole;
    }

    /**
     * Returns a shutdown hook, which the JVM starts on SIGTERM or SIGINT. The hook runs {@code stop}, and ends the
     * process with the exit code that {@code stop} returns. If {@code stop} throws an exception, the exit code is 1.
     *
     * @param stop returns the exit code
     */
    static Thread shutdown(IntSupplier stop) {
        return new Thread(
                () -> {
                    int code = 1;
                    try {
                        code = stop.getAsInt();
                    } finally {
                        flushLogs();
                        // A JVM that receives SIGTERM normally exits with 143, regardless of its hooks. Halting the JVM
                        // sets another exit code, which reports whether exchanges were aborted.
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
