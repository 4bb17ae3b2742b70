package dev.lychgate.server.engine;

import dev.lychgate.config.GatewayConfig;
import dev.lychgate.server.admin.ProcessUpgrade;
import dev.lychgate.server.handover.SharedSockets;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A serving gateway. Thread-safe. */
public interface RunningGateway {
    /**
     * A bound listener.
     *
     * @param name the listener's name
     * @param address the address with the port that the system assigned
     */
    record Bound(String name, InetSocketAddress address) {}

    /** Returns the bound listeners in the order of the settings. */
    List<Bound> listeners();

    /** Returns the address of the admin listener; null if there is none. */
    @Nullable
    InetSocketAddress admin();

    /**
     * Accepts no more connections, completes the running exchanges, and closes the gateway. Blocks until the gateway is
     * closed; a second call also waits until the gateway is closed.
     *
     * @param atMost time limit, after which the running exchanges are aborted
     * @return whether all exchanges completed
     */
    boolean drain(Duration atMost);

    /** Returns the configured time limit of a drain, which a reload may change. */
    Duration drainTimeout();

    /**
     * Returns whether a drain has begun. After the drain has begun, no listener accepts connections, and other
     * processes may bind the ports.
     */
    boolean isDraining();

    /** Ends a drain in progress: aborts the remaining exchanges, and {@link #drain} returns false. */
    void endDrain();

    /** Reloads the files and applies them. Blocks; the log reports the result. */
    void reload();

    /** Reopens the access log files by name. May return before the new files are open. */
    void reopenLogs();

    /** Returns the listening sockets, for a process that takes them over. */
    SharedSockets sockets();

    /** Sets the action that receives the settings after each reload that has changed them. */
    void onSettings(Consumer<GatewayConfig> action);

    /** Sets the action that runs when an operator requests an upgrade through the admin listener. */
    void onUpgrade(ProcessUpgrade action);

    /** Waits until the gateway has closed or failed. */
    void awaitClosed() throws InterruptedException;

    /**
     * Returns whether the gateway has failed. A gateway fails if an event loop terminates or stalls for too long,
     * because all connections of the loop are then lost.
     */
    boolean isBroken();
}
