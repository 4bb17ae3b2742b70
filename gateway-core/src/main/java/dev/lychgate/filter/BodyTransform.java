package dev.lychgate.filter;

/**
 * Changes a body piece by piece as it passes. One object belongs to one body; it is called on the event loop, in order,
 * and must not block. What it throws breaks the exchange off; a {@link BodyRefusal} says with which error.
 */
public interface BodyTransform {
    /** @param piece the next bytes of the body; the transform's to keep or change. @return what goes on; may be empty */
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

    /** The body is over. @return what still has to go on behind it; may be empty */
    default byte[] end() {
        return new byte[0];
    }
}
