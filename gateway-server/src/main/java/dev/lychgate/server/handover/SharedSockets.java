package dev.lychgate.server.handover;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The listening sockets of a gateway, including that of its admin listener, while two processes use them. Thread-safe.
 */
public interface SharedSockets {
    /** Returns the reason why no other process can take the sockets over at the moment; null if one can. */
    @Nullable
    String refusal();

    /**
     * Prepares the sockets for a process that takes them over. The gateway continues to accept connections.
     *
     * @return the descriptors of the sockets; empty if a socket has no descriptor
     */
    List<Integer> share();

    /** Ends the effect of {@link #share}: this process alone uses the sockets again. */
    void keep();

    /** Accepts no more connections, because another process does. Open connections stay open. */
    void leave();

    /** Accepts connections from the sockets that were inherited from another process. */
    void accept();
}
