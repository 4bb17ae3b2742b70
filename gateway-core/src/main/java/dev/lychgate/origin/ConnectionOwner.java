package dev.lychgate.origin;

/** Owner of a connection between exchanges. */
public interface ConnectionOwner {
    /** Owner of a connection that is not kept for another exchange. */
    ConnectionOwner NOBODY = connection -> {};

    /** Reports that the connection is closed, leased or not; called exactly once, on its event loop. */
    void onConnectionClosed(PooledConnection connection);
}
