package dev.lychgate.filters.coding;

/** Puts one body into a coding, piece by piece. Holds memory beyond the heap until it is closed. For one thread. */
public interface Encoder {
    /** @return what is ready by then; may be empty */
    byte[] encode(byte[] piece);

    /** @return all that is needed to decode what has been given so far; empty if that has been returned already */
    byte[] flush();

    /** The body is over. @return the last bytes of its coding; nothing may be asked for after that */
    byte[] finish();

    /** Lets go of what it holds, whether or not it has finished. */
    void close();
}
