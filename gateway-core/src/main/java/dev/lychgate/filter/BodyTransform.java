package dev.lychgate.filter;

/**
 * Transforms a body chunk by chunk while it streams. One object belongs to one body. The gateway calls the methods on
 * the event loop, in the order of the chunks; the methods must not block. An exception aborts the exchange. To choose
 * the error of the exchange, throw {@link BodyRefusal}.
 *
 * <p>A transform with much more output than input, such as a decoder, should return its output in parts: {@link #piece}
 * returns the first part, and {@link #more} returns the later parts. The gateway requests the next part when the
 * receiver of the body has accepted the previous one.
 */
public interface BodyTransform {
    /**
     * Transforms the next chunk. Not called for a message without a body, such as the response to a HEAD request.
     *
     * @param piece the next bytes of the body, which the transform owns: it may keep or change the array
     * @return the bytes to forward: {@code piece} or another array of any length, never null. After the return, the
     *     gateway owns the returned array and may send its bytes later, so the transform must not write to the array
     *     again
     */
    byte[] piece(byte[] piece);

    /**
     * Returns whether {@link #more} can return further output for the chunks received so far. Called before the next
     * chunk, and before {@link #end}.
     *
     * @return by default false
     */
    default boolean hasMore() {
        return false;
    }

    /**
     * Returns the next part of the output, after {@link #hasMore} returned true.
     *
     * @return the next part, never null. After an empty part, {@link #hasMore} must return false; otherwise the
     *     exchange fails
     */
    default byte[] more() {
        return new byte[0];
    }

    /**
     * Returns whether the output may differ from the input. If this method returns false for all transforms of a body,
     * the message keeps its declared length and its digests. Each call for the same transform must return the same
     * result.
     *
     * @return by default true; if false, the gateway ignores the results of {@link #piece} and {@link #end}, and the
     *     transform must not change the arrays
     */
    default boolean changes() {
        return true;
    }

    /**
     * Returns the bytes that the transform has retained. The gateway forwards them at once, so the client does not have
     * to wait for them. Called only for responses, after the transform has received all chunks of one read from the
     * origin.
     *
     * @return the retained bytes; may be empty, never null
     */
    default byte[] flush() {
        return new byte[0];
    }

    /**
     * Returns the memory that the transform holds outside the heap, in bytes, such as the window of a native decoder.
     * Called after each call of another method. The memory counts against the memory budget for unfinished messages. If
     * the budget is exhausted, the exchange fails with 503 and the transform is closed. A stalled exchange fails in the
     * same way if other exchanges need its memory.
     *
     * @return by default 0
     */
    default long nativeMemory() {
        return 0;
    }

    /**
     * Returns how many bytes of the body the transform retains on the heap between calls. These bytes count against the
     * same memory budget as {@link #nativeMemory}. Each byte on the heap counts in full, whereas bytes of native memory
     * count with a reduced weight.
     *
     * @return by default 0
     */
    default long heldMemory() {
        return 0;
    }

    /**
     * Ends the transformation after the complete body.
     *
     * @return the last bytes of the output; may be empty, never null
     */
    default byte[] end() {
        return new byte[0];
    }

    /**
     * Releases resources other than heap memory. Called once, on the event loop, as the last method: after the end of
     * the body, or after the body was replaced or discarded, or after the exchange was aborted. An exception has no
     * effect on the exchange.
     */
    default void close() {}
}
