package dev.lychgate.filters.coding;

/**
 * Decodes one body in steps with a limited output. Uses memory outside the heap until it is closed. Not thread-safe.
 *
 * <p>After each {@link #feed}, call {@link #decode} until it returns 0.
 */
public interface Decoder {
    /** Passes the next bytes of the body to the decoder, which owns the array until it has consumed all bytes. */
    void feed(byte[] piece);

    /**
     * Decodes at most as many bytes as fit into {@code into}.
     *
     * @return the number of bytes that were written into {@code into}; 0 if the decoder needs more input
     * @throws CodingException if the body is malformed, or has bytes after its end
     */
    int decode(byte[] into);

    /**
     * Reports the end of the body.
     *
     * @throws CodingException if the body is incomplete
     */
    void end();

    /** Returns an estimate of the memory that the decoder uses outside the heap, in bytes. */
    long memory();

    /** Releases all memory. May be called in any state. */
    void close();
}
