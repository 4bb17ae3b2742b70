package dev.lychgate.server.engine;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A gateway that serves. Any thread may call it. */
public interface RunningGateway {
    /** A bound port. @param name the listener's name; @param address with the port the system chose */
    record Bound(String name, InetSocketAddress address) {}

    /** What is bound, in the order of the settings. */
    List<Bound> listeners();

    /** Where the admin listener is bound, or null if there is none. */
    @Nullable
    InetSocketAddress admin();

    /**
     * Takes nothing new, finishes what runs, closes. Blocks; a second call waits for the first.
     *
     * @param atMost after this, what still runs is cut
     * @return whether nothing had to be cut
     */
    boolean drain(Duration atMost);

    /** Whether a drain has begun: nothing new is accepted, and the ports may belong to another process. */
    default boolean isDraining() {
        return false;
    }

    /** Ends a drain that is under way at once: what still runs is cut, and {@link #drain} returns false. */
    default void endDrain() {}

    /** Reads the files anew and lets them take over. Blocks; the log says what came of it. */
    default void reload() {}

    /** Opens the files of the access log anew, by their names. Returns before that is done. */
    default void reopenLogs() {}

    /** Waits until everything is closed, or the gateway has broken down. */
    void awaitClosed() throws InterruptedException;

    /**
     * Whether the gateway has broken down: an event loop has ended by itself, or has stood still for too long, and with it all that it
     * served.
     */
    boolean isBroken();
}
