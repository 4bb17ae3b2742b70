package dev.lychgate.filter;

import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The fields of a request or of an answer. Names are matched without regard to case.
 *
 * <p>What is set is held to the syntax of HTTP: a name is a token, a value has no line breaks and no control bytes but
 * the tab, and at most 64 KiB; blanks around it are dropped. Fields of framing and persistence, Expect and Host can't be set
 * here: the gateway writes them itself (Host is {@link FilterRequest#setHost}).
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9110#section-5">RFC 9110, 5 Fields</a>
 */
public interface Headers {
    /** The first value under {@code name}; null if there is none. */
    @Nullable
    String get(String name);

    /** All values under {@code name}, in order, as a list that can't be changed; empty if there are none. */
    List<String> getAll(String name);

    boolean contains(String name);

    /** Replaces whatever is there under {@code name}. @throws IllegalArgumentException if name or value can't be sent */
    void set(String name, String value);

    /**
     * Adds one more field. One of a name that a message has only once, such as Content-Type or Location, replaces the one
     * that is there.
     *
     * @throws IllegalArgumentException if name or value can't be sent
     */
    void add(String name, String value);

    /** Removes all fields of that name. @throws IllegalArgumentException if they are the gateway's own to write */
    void remove(String name);

    /** The names, each once, as they were sent. */
    Set<String> getNames();

    /** Calls {@code action} with the name and value of each field, in order. */
    void forEach(BiConsumer<String, String> action);

    /** {@code headers['x-a']} in Groovy. */
    default @Nullable String getAt(String name) {
        return get(name);
    }

    /** {@code headers['x-a'] = '1'} in Groovy; null removes. */
    default void putAt(String name, @Nullable Object value) {
        if (value == null) {
            remove(name);
        } else {
            set(name, value.toString());
        }
    }
}
