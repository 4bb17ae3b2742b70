package dev.lychgate.filter;

import java.util.function.DoubleSupplier;
import java.util.function.Supplier;

/**
 * State that outlives a generation, instruments, and the life cycle of a filter; see {@link Filter#onLoad}. Names belong to the
 * file of the filter: filters of other files have their own, and the instances that one file has with different settings share
 * them. All returned objects are thread-safe, except for the objects that filters create.
 *
 * <p>State and instruments are obtained while the filter is loaded; {@link #closeLater} may be called later.
 */
public interface FilterServices {
    /**
     * Returns the object that the previous generation had under this name, or the result of {@code initial}, if there is none or
     * it is no {@code type}. The object must be thread-safe, and its class must be one of the JDK or of the gateway.
     *
     * @throws IllegalArgumentException if the object has a class of the filter directory: use a codec
     */
    <T> T shared(String name, Class<T> type, Supplier<? extends T> initial);

    /**
     * As {@link #shared(String, Class, Supplier)}, for objects of any class: a reload encodes the object of the previous
     * generation and decodes it for the next one. Changes that exchanges in progress make later are lost.
     */
    <T> T shared(String name, StateCodec<T> codec, Supplier<? extends T> initial);

    /**
     * Returns a bounded cache, with its entries if the previous generation had one of this name and with the same bounds.
     *
     * @throws IllegalArgumentException if all caches together may take more than a quarter of the heap
     */
    <V> FilterCache<V> cache(String name, FilterCache.Bounds bounds);

    /** Returns a counter, which is exposed as a metric and keeps its values over generations. */
    FilterCounter counter(String name);

    /** Returns a timer, which is exposed as a metric and keeps its values over generations. */
    FilterTimer timer(String name);

    /**
     * Returns the property {@code name} of {@code filters.properties}. Its type is that of {@code otherwise}, which is the value if
     * the configuration has none: a {@link Boolean}, {@link Integer}, {@link Long}, {@link Double}, {@link java.math.BigDecimal},
     * {@link String}, {@link java.time.Duration} or a list of strings.
     *
     * @throws IllegalArgumentException if {@code otherwise} is of another type
     */
    <T> FilterProperty<T> property(String name, T otherwise);

    /** Exposes a value as a metric. @param value is called on another thread, and must not block */
    void gauge(String name, DoubleSupplier value);

    /**
     * Closes {@code resource} when the last exchange of the generation has ended. Resources are closed in reverse order.
     *
     * @param resource an {@link AutoCloseable}, a {@link java.util.concurrent.ExecutorService} or a {@link java.util.Timer}
     * @return the resource
     */
    <T> T closeLater(T resource);
}
