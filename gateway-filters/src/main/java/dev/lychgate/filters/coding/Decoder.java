package dev.lychgate.filters.coding;

/**
 * Undoes the coding of one body, a bounded part at a time. Holds memory beyond the heap until it is closed. For one thread.
 *
 * <p>Fed a piece, it is asked to {@link #decode} until that gives nothing; then it takes the next piece.
 */
public interface Decoder {
    /** Gives it the next bytes of the body; they are its own until it has used them up. */
    void feed(byte[] piece);

    /**
     * Decodes as much as there is room for.
     *
     * @return how many bytes were written into {@code into}; 0 if more has to be fed
     * @throws CodingException if the body is not in this coding, or goes on behind its end
     */
    int decode(byte[] into);

    /** The body is over. @throws CodingException if it is not whole */
    void end();

    /** Returns an estimate of the memory that it holds outside the heap, in bytes. */
    long memory();

    /** Lets go of what it holds, however far it has come. */
    void close();
}
