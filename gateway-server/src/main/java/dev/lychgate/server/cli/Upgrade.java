package dev.lychgate.server.cli;

import dev.lychgate.server.admin.ProcessUpgrade;
import dev.lychgate.server.engine.RunningGateway;
import dev.lychgate.server.handover.NotifySocket;
import dev.lychgate.server.handover.Predecessor;
import dev.lychgate.server.handover.SharedSockets;
import dev.lychgate.server.handover.Successor;
import dev.lychgate.server.yaml.Environment;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Replaces the process of {@code lychgate run}. The launcher of the installation starts the new process; the
 * installation may be newer than this process. Without a launcher, the command line of this process starts it.
 * Thread-safe.
 */
final class Upgrade implements ProcessUpgrade {
    private static final Logger LOG = LoggerFactory.getLogger(Upgrade.class);

    private static final Path COMMAND_LINE = Path.of("/proc/self/cmdline");

    /**
     * The time within which the new process must be ready. It is shorter than the time after which the admin listener
     * closes a silent connection.
     */
    private static final Duration WITHIN = Duration.ofSeconds(25);

    private final RunningGateway gateway;
    private final Path config;
    private final Environment environment;
    private final NotifySocket notify;
    private final Runnable exit;
    private final AtomicBoolean running = new AtomicBoolean();

    /**
     * Creates an upgrade, which begins with {@link #run}.
     *
     * @param config the file of the configuration
     * @param exit drains the gateway and ends the process; must not block
     */
    Upgrade(RunningGateway gateway, Path config, Environment environment, NotifySocket notify, Runnable exit) {
        this.gateway = gateway;
        this.config = config;
        this.environment = environment;
        this.notify = notify;
        this.exit = exit;
    }

    @Override
    public long run() throws Successor.FailedException, InterruptedException {
        requirePossible();
        if (!running.compareAndSet(false, true)) {
            throw new Successor.FailedException("another upgrade is in progress");
        }
        SharedSockets sockets = gateway.sockets();
        boolean done = false;
        try {
            List<String> command = command();
            LOG.info("upgrade: starting {}", String.join(" ", command));
            long process = Successor.start(command, sockets.share(), WITHIN, this::consent)
                    .pid();
            LOG.info("upgrade: process {} serves; this process drains", process);
            done = true;
            sockets.leave();
            exit.run();
            return process;
        } catch (Successor.FailedException e) {
            LOG.error("upgrade: {}; this process continues to serve", e.getMessage());
            throw e;
        } finally {
            if (!done) {
                sockets.keep();
                notify.serves();
                running.set(false);
            }
        }
    }

    private void requirePossible() throws Successor.FailedException {
        long own = ProcessHandle.current().pid();
        String refusal = refusal();
        if (refusal == null && Predecessor.isPresent()) {
            refusal = "the process that this one has replaced still drains; wait for its end";
        }
        if (refusal == null && own == 1) {
            refusal = "the container would end together with this process; restart the container";
        }
        if (refusal == null
                && Long.toString(own).equals(environment.get("SYSTEMD_EXEC_PID"))
                && environment.get(NotifySocket.VARIABLE) == null) {
            refusal = "systemd would end the new process together with this one; use Type=notify in the unit";
        }
        if (refusal != null) {
            throw new Successor.FailedException(refusal);
        }
    }

    private @Nullable String refusal() {
        return gateway.isDraining()
                ? "the gateway is draining"
                : gateway.sockets().refusal();
    }

    /**
     * Consents to the upgrade if the gateway can still pass on its sockets, and notifies the service manager of
     * the new process. Called when the new process is ready.
     */
    private void consent(Process ready) throws Successor.FailedException, InterruptedException {
        String refusal = refusal();
        if (refusal != null) {
            throw new Successor.FailedException(refusal);
        }
        if (!notify.replacedBy(ready.pid())) {
            throw new Successor.FailedException("the service manager can't be notified of the new process");
        }
    }

    private List<String> command() throws Successor.FailedException {
        String home = environment.get("LYCHGATE_HOME");
        Path launcher = home == null || home.isEmpty() ? null : Path.of(home, "bin", "lychgate");
        if (launcher != null && Files.isExecutable(launcher)) {
            return List.of(
                    launcher.toString(),
                    "run",
                    "--config",
                    config.toAbsolutePath().toString());
        }
        try {
            // A process handle returns at most one memory page (usually 4 KiB) of a command line.
            String[] words = Files.readString(COMMAND_LINE).split("\0");
            words[0] = Path.of(System.getProperty("java.home"), "bin", "java").toString();
            return List.of(words);
        } catch (IOException e) {
            throw new Successor.FailedException("the command line of this process is unknown (" + e.getMessage()
                    + "); start the gateway with bin/lychgate");
        }
    }
}
