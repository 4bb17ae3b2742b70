package dev.lychgate.filter;

import java.util.function.BiConsumer;

/**
 * A value of {@code filters.properties}, which operators change while the filters stay loaded. Thread-safe.
 *
 * @see FilterServices#property
 * @see FilterExchange#get(FilterProperty)
 */
public interface FilterProperty<T> {
    /** Returns the key below {@code filters.properties}. */
    String getName();

    /**
     * Returns the latest value. It may change while an exchange is in progress; {@link FilterExchange#get(FilterProperty)} does not.
     */
    T get();

    /**
     * Calls {@code action} with the previous and the new value after each reload that changes the value while the filter stays
     * loaded. Calls of all filters follow each other on one thread, which is no event loop. They may block; an exception is logged.
     *
     * @throws IllegalStateException if the filter has been loaded
     */
    void onChange(BiConsumer<? super T, ? super T> action);
}
