package dev.lychgate.origin;

/** Whoever keeps a connection between exchanges. */
public interface ConnectionOwner {
    /** The connection is closed, in use or not; told exactly once, on its event loop. */
    void onConnectionClosed(OriginConnection connection);
}
