package dev.lychgate.origin;

/** The owner of an origin connection, such as a pool. The owner is notified when the connection closes. */
public interface ConnectionOwner {
    /** An owner that ignores notifications. Used for a connection that is not kept for another exchange. */
    ConnectionOwner NOBODY = connection -> {};

    /**
     * Reports that the connection is closed, whether or not it is leased. Called exactly once, on the event loop of the
     * connection.
     */
    void onConnectionClosed(PooledConnection connection);
}
