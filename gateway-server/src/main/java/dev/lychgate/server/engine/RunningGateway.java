package dev.lychgate.server.engine;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A serving gateway. Thread-safe. */
public interface RunningGateway {
    /** A bound port. @param name the listener's name @param address with the port that the system assigned */
    record Bound(String name, InetSocketAddress address) {}

    /** Returns the bound listeners in the order of the settings. */
    List<Bound> listeners();

    /** Returns the address of the admin listener; null without one. */
    @Nullable
    InetSocketAddress admin();

    /**
     * Stops accepting, completes active work and closes. Blocks; a second call waits for the first.
     *
     * @param atMost timeout, after which active work is aborted
     * @return whether no work was aborted
     */
    boolean drain(Duration atMost);

    /** Returns whether a drain has begun: no listener accepts, and other processes may own the ports. */
    boolean isDraining();

    /** Ends an active drain now: aborts the remaining work, and {@link #drain} returns false. */
    void endDrain();

    /** Reloads the files and applies them. Blocks; the log reports the result. */
    void reload();

    /** Reopens the access log files by name. Returns before that has finished. */
    void reopenLogs();

    /** Waits until the gateway has closed or failed. */
    void awaitClosed() throws InterruptedException;

    /**
     * Returns whether the gateway has failed: an event loop has terminated or stalled for too long, with all its
     * connections.
     */
    boolean isBroken();
}
