package dev.lychgate.filter;

import java.util.function.BiConsumer;

/**
 * A value of {@code filters.properties}. Operators can change the value while the filters stay loaded. Thread-safe.
 *
 * @see FilterServices#property
 * @see FilterExchange#get(FilterProperty)
 */
public interface FilterProperty<T> {
    /** Returns the key below {@code filters.properties}. */
    String getName();

    /**
     * Returns the latest value, which may change while an exchange is in progress. The result of
     * {@link FilterExchange#get(FilterProperty)} does not change within an exchange.
     */
    T get();

    /**
     * Calls {@code action} with the previous and the new value after each reload that changes the value while the
     * filter stays loaded. The actions of all filters run one after the other on one thread, which is not an event
     * loop. The actions may block. An exception is logged.
     *
     * @throws IllegalStateException if the filter has already been loaded
     */
    void onChange(BiConsumer<? super T, ? super T> action);
}
