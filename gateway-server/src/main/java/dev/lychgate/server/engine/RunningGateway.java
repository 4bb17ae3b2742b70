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

    /** Waits until everything is closed, or the gateway has broken down. */
    void awaitClosed() throws InterruptedException;

    /** Whether the gateway has broken down: an event loop has ended by itself, and with it all that it served. */
    boolean isBroken();
}
