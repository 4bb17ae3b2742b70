package dev.lychgate.config;

import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The keys of a section: one for each component of its record, in the order of the components. The record is read, checked
 * and made with defaults by them. {@code of} takes the constructor; the compiler compares the types. No reflection: linking a
 * constructor by it costs a start more than the keys of its record.
 */
final class Keys<R> {
    private final Function<@Nullable Object[], R> maker;
    private final List<Key<?>> keys;

    private Keys(Function<@Nullable Object[], R> maker, Key<?>... keys) {
        this.maker = maker;
        this.keys = List.of(keys);
    }

    /** Returns the record of the section. @throws ConfigException if the record refuses a value */
    R read(Key.Values values) {
        @Nullable Object[] read = new Object[keys.size()];
        for (int i = 0; i < read.length; i++) {
            read[i] = values.get(keys.get(i));
        }
        return maker.apply(read);
    }

    /** Returns the record with the default of each key. */
    R defaults() {
        return read(Key.DEFAULTS);
    }

    /** Refuses a value that its key does not accept. @param values one for each key, in the same order */
    void check(@Nullable Object... values) {
        for (int i = 0; i < values.length; i++) {
            check(keys.get(i), values[i]);
        }
    }

    @SuppressWarnings("unchecked")
    private static <T> void check(Key<T> key, @Nullable Object value) {
        key.check((T) value);
    }

    @SuppressWarnings({"unchecked", "NullAway", "TypeParameterUnusedInFormals"})
    private static <T> T at(@Nullable Object[] values, int i) {
        return (T) values[i];
    }

    static <A, R> Keys<R> of(Function<A, R> make, Key<A> a) {
        return new Keys<>(v -> make.apply(at(v, 0)), a);
    }

    static <A, B, R> Keys<R> of(BiFunction<A, B, R> make, Key<A> a, Key<B> b) {
        return new Keys<>(v -> make.apply(at(v, 0), at(v, 1)), a, b);
    }

    static <A, B, C, R> Keys<R> of(Make3<A, B, C, R> make, Key<A> a, Key<B> b, Key<C> c) {
        return new Keys<>(v -> make.of(at(v, 0), at(v, 1), at(v, 2)), a, b, c);
    }

    static <A, B, C, D, R> Keys<R> of(Make4<A, B, C, D, R> make, Key<A> a, Key<B> b, Key<C> c, Key<D> d) {
        return new Keys<>(v -> make.of(at(v, 0), at(v, 1), at(v, 2), at(v, 3)), a, b, c, d);
    }

    static <A, B, C, D, E, R> Keys<R> of(
            Make5<A, B, C, D, E, R> make, Key<A> a, Key<B> b, Key<C> c, Key<D> d, Key<E> e) {
        return new Keys<>(v -> make.of(at(v, 0), at(v, 1), at(v, 2), at(v, 3), at(v, 4)), a, b, c, d, e);
    }

    static <A, B, C, D, E, F, R> Keys<R> of(
            Make6<A, B, C, D, E, F, R> make, Key<A> a, Key<B> b, Key<C> c, Key<D> d, Key<E> e, Key<F> f) {
        return new Keys<>(v -> make.of(at(v, 0), at(v, 1), at(v, 2), at(v, 3), at(v, 4), at(v, 5)), a, b, c, d, e, f);
    }

    static <A, B, C, D, E, F, G, R> Keys<R> of(
            Make7<A, B, C, D, E, F, G, R> make, Key<A> a, Key<B> b, Key<C> c, Key<D> d, Key<E> e, Key<F> f, Key<G> g) {
        return new Keys<>(
                v -> make.of(at(v, 0), at(v, 1), at(v, 2), at(v, 3), at(v, 4), at(v, 5), at(v, 6)),
                a,
                b,
                c,
                d,
                e,
                f,
                g);
    }

    static <A, B, C, D, E, F, G, H, R> Keys<R> of(
            Make8<A, B, C, D, E, F, G, H, R> make,
            Key<A> a,
            Key<B> b,
            Key<C> c,
            Key<D> d,
            Key<E> e,
            Key<F> f,
            Key<G> g,
            Key<H> h) {
        return new Keys<>(
                v -> make.of(at(v, 0), at(v, 1), at(v, 2), at(v, 3), at(v, 4), at(v, 5), at(v, 6), at(v, 7)),
                a,
                b,
                c,
                d,
                e,
                f,
                g,
                h);
    }

    interface Make3<A, B, C, R> {
        R of(A a, B b, C c);
    }

    interface Make4<A, B, C, D, R> {
        R of(A a, B b, C c, D d);
    }

    interface Make5<A, B, C, D, E, R> {
        R of(A a, B b, C c, D d, E e);
    }

    interface Make6<A, B, C, D, E, F, R> {
        R of(A a, B b, C c, D d, E e, F f);
    }

    interface Make7<A, B, C, D, E, F, G, R> {
        R of(A a, B b, C c, D d, E e, F f, G g);
    }

    interface Make8<A, B, C, D, E, F, G, H, R> {
        R of(A a, B b, C c, D d, E e, F f, G g, H h);
    }
}
