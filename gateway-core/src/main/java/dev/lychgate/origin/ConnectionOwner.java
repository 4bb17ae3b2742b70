package dev.lychgate.origin;

/** Whoever keeps a connection between exchanges. */
public interface ConnectionOwner {
    /** Of a connection that nobody keeps for another exchange. */
    ConnectionOwner NOBODY = connection -> {};

    /** The connection is closed, in use or not; told exactly once, on its event loop. */
    void onConnectionClosed(PooledConnection connection);
}
