package dev.lychgate.filter;

/**
 * Changes a body piece by piece as it passes. One object belongs to one body; it is called on the event loop, in order,
 * and must not block. What it throws breaks the exchange off; a {@link BodyRefusal} says with which error.
 *
 * <p>One that makes much of little, as what undoes a compression does, should give it in parts: {@link #piece} gives the
 * first, and {@link #more} each of the others, which is asked for when whoever reads the body has taken the last.
 */
public interface BodyTransform {
    /**
     * Not called where no body is due, as in the answer to a HEAD.
     *
     * @param piece the next bytes of the body; the transform's to keep or change
     * @return what goes on: {@code piece} or another array, longer, shorter or empty, never null. The gateway's from then on:
     *     it may be sent later, and must not be written to again
     */
    byte[] piece(byte[] piece);

    /**
     * Whether there is more to go on of the pieces that have come; asked before the next piece is given, and before the end.
     *
     * @return by default false
     */
    default boolean hasMore() {
        return false;
    }

    /** The next part of it, after {@link #hasMore} has said that there is one. @return may be empty, never null */
    default byte[] more() {
        return new byte[0];
    }

    /**
     * Whether the body that goes on may be another than the one that comes. Where no transform changes anything, length and
     * digests stay as they are. Always the same of one transform.
     *
     * @return by default true; if false, what {@link #piece} and {@link #end} return is not used, and the bytes that they
     *     see are not theirs to change
     */
    default boolean changes() {
        return true;
    }

    /**
     * Nothing more has come for now: one that keeps bytes back should let go of those that somebody may be waiting for.
     * Called for answers, after all that one read from the origin has brought.
     *
     * @return what goes on; may be empty, never null
     */
    default byte[] flush() {
        return new byte[0];
    }

    /**
     * Returns how much memory the transform holds outside the heap, in bytes, such as the window of a native decoder. Asked
     * after each call; it counts against the memory for unfinished messages. If too much is held, the exchange fails with 503
     * and the transform is closed; so is one that stalls while others need the memory.
     *
     * @return by default 0
     */
    default long nativeMemory() {
        return 0;
    }

    /** The body is over. @return what still has to go on behind it; may be empty, never null */
    default byte[] end() {
        return new byte[0];
    }

    /**
     * Lets go of what the transform holds beyond its own memory. Called once, on the event loop, as the last thing: whether
     * the body has come to its end, was replaced or thrown away, or its exchange was cut off. Nothing that it throws changes
     * the exchange any more.
     */
    default void close() {}
}
