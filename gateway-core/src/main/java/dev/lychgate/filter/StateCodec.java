package dev.lychgate.filter;

/**
 * Transfers shared state from one generation to the next if the class of the state comes from the filter directory.
 * Both methods run while the next generation is built.
 *
 * @param <T> the class of the state
 */
public interface StateCodec<T> {
    /**
     * Returns the content of {@code state} as an object whose class belongs to the JDK, such as a string, a byte array
     * or a map.
     */
    Object encode(T state);

    /** Returns the state that the previous generation encoded with {@link #encode}. */
    T decode(Object encoded);
}
