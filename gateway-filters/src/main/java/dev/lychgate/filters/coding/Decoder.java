package dev.lychgate.filters.coding;

/**
 * Decodes one body in bounded steps. Holds memory outside the heap until it is closed. Not thread-safe.
 *
 * <p>After each {@link #feed}, call {@link #decode} until it returns 0.
 */
public interface Decoder {
    /** Passes the next bytes of the body; the decoder owns them until it has consumed them. */
    void feed(byte[] piece);

    /**
     * Decodes at most as many bytes as fit into {@code into}.
     *
     * @return the number of bytes that were written into {@code into}; 0 if more input is needed
     * @throws CodingException if the body is malformed, or has bytes after its end
     */
    int decode(byte[] into);

    /**
     * Ends the body.
     *
     * @throws CodingException if the body is incomplete
     */
    void end();

    /** Returns an estimate of the memory held outside the heap, in bytes. */
    long memory();

    /** Releases all memory, in any state. */
    void close();
}
