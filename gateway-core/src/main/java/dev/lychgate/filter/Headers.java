package dev.lychgate.filter;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The headers of a request or a response. Names are case-insensitive.
 *
 * <p>A name is a token. A value has at most 64 KiB, no line breaks, and no control bytes except tabs; blanks around the
 * value are removed.
 *
 * <p>Filters cannot change headers that the gateway itself writes: Host, Expect, and the headers that describe framing
 * or keep connections open. To change Host, use {@link FilterRequest#setHost}.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9110#section-5">RFC 9110, 5 Fields</a>
 */
public interface Headers extends Iterable<Map.Entry<String, String>> {
    /** Returns the first value of a header; null if the header is missing. */
    @Nullable
    String get(String name);

    /** Returns an immutable list of all values of a header, in order; empty if the header is missing. */
    List<String> getAll(String name);

    /** Returns whether a header is present. */
    boolean contains(String name);

    /**
     * Replaces all values of a header.
     *
     * @throws IllegalArgumentException if name or value is not allowed
     */
    void set(String name, String value);

    /**
     * Adds a value. A header that a message may have only once, such as Content-Type or Location, replaces the previous
     * header with this name.
     *
     * @throws IllegalArgumentException if name or value is not allowed
     */
    void add(String name, String value);

    /**
     * Removes all values of a header.
     *
     * @throws IllegalArgumentException if the gateway itself writes the header
     */
    void remove(String name);

    /** Returns each header name once, spelled as received. */
    Set<String> getNames();

    /** Calls {@code action} with the name and value of each field, in order. */
    void forEach(BiConsumer<String, String> action);

    /** Returns an iterator over a copy of all fields, each with its name and value, in order. */
    @Override
    default Iterator<Map.Entry<String, String>> iterator() {
        List<Map.Entry<String, String>> fields = new ArrayList<>();
        forEach((name, value) -> fields.add(Map.entry(name, value)));
        return List.copyOf(fields).iterator();
    }

    /** Returns the first value of a header, like {@link #get}; in Groovy: {@code headers['x-a']}. */
    default @Nullable String getAt(String name) {
        return get(name);
    }

    /** Replaces a header, or removes it if the value is null; in Groovy {@code headers['x-a'] = '1'}. */
    default void putAt(String name, @Nullable Object value) {
        if (value == null) {
            remove(name);
        } else {
            set(name, value.toString());
        }
    }
}
