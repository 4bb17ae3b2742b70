package dev.lychgate.filter;

/**
 * Transforms a body chunk by chunk while it streams. One object belongs to one body. The gateway calls it on the event loop, in
 * order; it must not block. An exception aborts the exchange; {@link BodyRefusal} sets its error.
 *
 * <p>A transform with much more output than input, such as a decoder, should return it in parts: {@link #piece} returns the
 * first part and {@link #more} the others. The gateway requests a part when the reader of the body has accepted the previous
 * one.
 */
public interface BodyTransform {
    /**
     * Transforms the next chunk. Not called for a message without a body, such as the response to a HEAD request.
     *
     * @param piece the next bytes of the body, which the transform owns: it may keep or change the array
     * @return the bytes to pass on: {@code piece} or another array, longer, shorter or empty, never null. The gateway owns it: it
     *     may send the bytes later, so the transform must not write to the array again
     */
    byte[] piece(byte[] piece);

    /**
     * Returns whether the chunks so far have further output. Called before the next chunk, and before the end.
     *
     * @return by default false
     */
    default boolean hasMore() {
        return false;
    }

    /**
     * Returns the next part of the output, after {@link #hasMore} returned true.
     *
     * @return never null; empty only if {@link #hasMore} returns false then, otherwise the exchange fails
     */
    default byte[] more() {
        return new byte[0];
    }

    /**
     * Returns whether the output may differ from the input. If no transform changes the body, its length and digests remain.
     * The value of one transform is constant.
     *
     * @return by default true; if false, the gateway ignores the results of {@link #piece} and {@link #end}, and the transform
     *     must not change the arrays
     */
    default boolean changes() {
        return true;
    }

    /**
     * Returns retained bytes that the client may be waiting for. Called for responses, after the chunks of one read from the
     * origin.
     *
     * @return may be empty, never null
     */
    default byte[] flush() {
        return new byte[0];
    }

    /**
     * Returns the memory that the transform holds outside the heap, in bytes, such as the window of a native decoder. Called
     * after each other method; it counts against the memory budget for unfinished messages. If the budget is exhausted, the
     * exchange fails with 503 and the transform is closed, as is a stalled one while others need the memory.
     *
     * @return by default 0
     */
    default long nativeMemory() {
        return 0;
    }

    /**
     * Returns the bytes of the body that the transform retains on the heap between calls. Counts as {@link #nativeMemory} does,
     * but in full.
     *
     * @return by default 0
     */
    default long heldMemory() {
        return 0;
    }

    /** The body is complete. @return the last bytes of the output; may be empty, never null */
    default byte[] end() {
        return new byte[0];
    }

    /**
     * Releases resources other than heap memory. Called once, on the event loop, as the last method: after the end of the body,
     * or when it was replaced or discarded, or the exchange was aborted. An exception has no effect on the exchange.
     */
    default void close() {}
}
