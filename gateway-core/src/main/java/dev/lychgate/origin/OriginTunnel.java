package dev.lychgate.origin;

/**
 * Holds the connection or stream of an open tunnel, in place of the lease. To end the tunnel, call {@link #close()},
 * {@link #cut()} or {@link #reset()}; only the first call counts. Used on its event loop.
 */
public interface OriginTunnel {
    /** Returns whether the tunnel may still accept data for the origin. */
    boolean isOpen();

    /**
     * Returns whether the output can end while input from the origin continues. False for TLS over HTTP/1.1, because
     * some TLS engines stop reading after a half-close, and a close without close_notify looks like a truncation.
     */
    boolean endsByHalves();

    /** Returns the number of bytes that are not sent yet. */
    long unsent();

    /** Closes the tunnel in order: sends pending bytes within a short time and discards input. */
    void close();

    /** Aborts the tunnel at once and drops pending bytes. */
    void cut();

    /** Aborts the tunnel like {@link #cut()}, but in a way that the origin cannot mistake for an orderly close. */
    void reset();
}
