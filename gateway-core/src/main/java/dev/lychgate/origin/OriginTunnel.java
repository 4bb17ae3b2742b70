package dev.lychgate.origin;

/**
 * Owns the connection or stream of an open tunnel, in place of the lease. To end the tunnel, call {@link #close()},
 * {@link #cut()} or {@link #reset()}; calls after the first one have no effect. Used on the event loop of the
 * connection.
 */
public interface OriginTunnel {
    /** Returns whether the tunnel may still accept data for the origin. */
    boolean isOpen();

    /**
     * Returns whether the gateway can end its output while input from the origin continues. False for HTTP/1.1 over
     * TLS: some TLS engines stop reading after a half-close.
     */
    boolean endsByHalves();

    /** Returns the number of bytes that are not sent yet. */
    long unsent();

    /** Closes the tunnel regularly: sends the pending bytes within a short time, and discards input. */
    void close();

    /** Aborts the tunnel immediately, and discards the pending bytes. */
    void cut();

    /** Aborts the tunnel like {@link #cut()}, but with a reset, which the origin cannot mistake for a regular close. */
    void reset();
}
