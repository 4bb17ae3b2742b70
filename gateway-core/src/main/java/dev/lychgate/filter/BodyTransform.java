package dev.lychgate.filter;

/**
 * Changes a body piece by piece as it passes. One object belongs to one body; it is called on the event loop, in order,
 * and must not block. What it throws breaks the exchange off; a {@link BodyRefusal} says with which error.
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
     * Whether the body that goes on may be another than the one that comes. Where no transform changes anything, length and
     * digests stay as they are. Always the same of one transform.
     *
     * @return by default true; if false, what {@link #piece} and {@link #end} return is not used, and the bytes that they
     *     see are not theirs to change
     */
    default boolean changes() {
        return true;
    }

    /** The body is over. @return what still has to go on behind it; may be empty, never null */
    default byte[] end() {
        return new byte[0];
    }
}
