package dev.lychgate.exchange.filtering;

import java.util.AbstractMap;
import java.util.Collections;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A read-only copy of a part of a message. Attempts to change the copy fail, because they would not change the message.
 * The exception names the method that changes the message.
 *
 * @param <V> the type of the values
 */
final class ReadOnlyMap<V> extends AbstractMap<String, V> {
    private final Map<String, V> copy;
    private final String setter;

    /**
     * Creates a read-only map.
     *
     * @param setter the name of the method that changes the request or response; the text of the exception contains
     *     this name
     */
    ReadOnlyMap(Map<String, V> copy, String setter) {
        this.copy = Collections.unmodifiableMap(copy);
        this.setter = setter;
    }

    @Override
    public @Nullable V get(@Nullable Object name) {
        return copy.get(name);
    }

    @Override
    public boolean containsKey(@Nullable Object name) {
        return copy.containsKey(name);
    }

    @Override
    public Set<Entry<String, V>> entrySet() {
        return copy.entrySet();
    }

    @Override
    public V put(String name, V value) {
        throw refused();
    }

    @Override
    public V remove(@Nullable Object name) {
        throw refused();
    }

    @Override
    public void clear() {
        throw refused();
    }

    private UnsupportedOperationException refused() {
        return new UnsupportedOperationException("this map is a read-only copy; to change the request, use " + setter);
    }
}
