package dev.lychgate.filter;

import java.util.function.DoubleSupplier;
import java.util.function.Supplier;

/**
 * Provides services to a filter: state that outlives a generation, counters, timers, gauges, and the closing of
 * resources. See {@link Filter#onLoad}. All returned objects are thread-safe, except for objects that the filter itself
 * creates.
 *
 * <p>A name belongs to the file that defines the filter, so two files may use the same name for different objects. If a
 * configuration lists the filter of one file several times, all these filters use the same objects.
 *
 * <p>All methods except {@link #closeLater} must be called while the gateway loads the filter.
 */
public interface FilterServices {
    /**
     * Returns the object that the previous generation had under this name. If there is no such object, or if it is not
     * an instance of {@code type}, this method returns the result of {@code initial}. The object must be thread-safe,
     * and its class must belong to the JDK or to the gateway.
     *
     * @throws IllegalArgumentException if the class of the object comes from the filter directory; use a codec for such
     *     objects
     */
    <T> T shared(String name, Class<T> type, Supplier<? extends T> initial);

    /**
     * Returns shared state like {@link #shared(String, Class, Supplier)}, but for objects of any class. A reload
     * encodes the object of the previous generation and decodes it for the next generation. If exchanges in progress
     * change the object after it was encoded, these changes are lost.
     */
    <T> T shared(String name, StateCodec<T> codec, Supplier<? extends T> initial);

    /**
     * Returns a bounded cache. If the previous generation had a cache with this name and the same bounds, the returned
     * cache contains the entries of that cache.
     *
     * @throws IllegalArgumentException if all caches together may take more than a quarter of the heap
     */
    <V> FilterCache<V> cache(String name, FilterCache.Bounds bounds);

    /** Returns a counter, which is exposed as a metric and keeps its values across generations. */
    FilterCounter counter(String name);

    /** Returns a timer, which is exposed as a metric and keeps its values across generations. */
    FilterTimer timer(String name);

    /**
     * Returns the property {@code name} of {@code filters.properties}. If the configuration does not contain the
     * property, its value is {@code otherwise}. The type of {@code otherwise} is the type of the property: a
     * {@link Boolean}, {@link Integer}, {@link Long}, {@link Double}, {@link java.math.BigDecimal}, {@link String},
     * {@link java.time.Duration} or a list of strings.
     *
     * @throws IllegalArgumentException if {@code otherwise} is of another type
     */
    <T> FilterProperty<T> property(String name, T otherwise);

    /**
     * Exposes a value as a metric without a label.
     *
     * @param value returns the value; called on another thread, must not block
     */
    default void gauge(String name, DoubleSupplier value) {
        gauge(name, "", value);
    }

    /**
     * Exposes a value as a metric. Gauges with the same name must have different labels.
     *
     * @param label the label of the metric, at most 64 characters
     * @param value returns the value; called on another thread, must not block
     * @throws IllegalArgumentException if the label is too long, or the name has 100 labels already
     */
    void gauge(String name, String label, DoubleSupplier value);

    /**
     * Closes {@code resource} when the last exchange of the generation has ended. Resources are closed in reverse
     * order.
     *
     * @param resource an {@link AutoCloseable}, a {@link java.util.concurrent.ExecutorService} or a {@link
     *     java.util.Timer}
     * @return the resource
     */
    <T> T closeLater(T resource);
}
