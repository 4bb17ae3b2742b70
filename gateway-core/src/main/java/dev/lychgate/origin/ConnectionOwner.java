package dev.lychgate.origin;

/** Owner of a connection between exchanges. */
public interface ConnectionOwner {
    /** Owner of a connection that is not kept for another exchange. */
    ConnectionOwner NOBODY = connection -> {};

    /**
     * Reports that the connection is closed, whether or not it is leased. Called exactly once, on the event loop of the
     * connection.
     */
    void onConnectionClosed(PooledConnection connection);
}
