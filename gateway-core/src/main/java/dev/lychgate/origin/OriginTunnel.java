package dev.lychgate.origin;

/**
 * What whoever has opened a tunnel keeps of the connection, or of the stream of one, that it goes through, in place of the
 * lease; to be left by {@link #close()}, {@link #cut()} or {@link #reset()}, of which the first one counts. Used on its event
 * loop.
 */
public interface OriginTunnel {
    /** Whether the origin can still be sent something, as far as is known. */
    boolean isOpen();

    /**
     * Whether the end of what is said to the origin can be told to it while its own side goes on. Not inside TLS over
     * HTTP/1.1: not every engine reads on when its own half is closed, and an end that TLS does not know of is a truncation.
     */
    boolean endsByHalves();

    /** Bytes that wait to be sent. */
    long unsent();

    /** Leaves in order: what has still to be said is said, within a short time; what still comes is thrown away. */
    void close();

    /** Leaves at once, whatever has still to be said. */
    void cut();

    /** As {@link #cut()}, in a way that the origin can't take for an end in order. */
    void reset();
}
