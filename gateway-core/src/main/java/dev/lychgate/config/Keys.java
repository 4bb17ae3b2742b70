package dev.lychgate.config;

import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The keys of a section. The section is read into a record, with one key for each component, in the order of the
 * components. The keys read and check the values, and supply the defaults.
 *
 * <p>{@code of} accepts the constructor of the record, so the compiler checks the types. Linking a constructor by
 * reflection would delay the startup.
 */
public final class Keys<R> implements Key.SectionKeys<R> {
    private final Function<@Nullable Object[], R> maker;
    private final List<Key<?>> keys;

    private Keys(Function<@Nullable Object[], R> maker, Key<?>... keys) {
        this.maker = maker;
        this.keys = List.of(keys);
    }

    @Override
    public R read(Key.Values values) {
        @Nullable Object[] read = new Object[keys.size()];
        for (int i = 0; i < read.length; i++) {
            read[i] = values.get(keys.get(i));
        }
        return maker.apply(read);
    }

    /** Returns the keys, in the order of the components. */
    public List<Key<?>> keys() {
        return keys;
    }

    @Override
    public R defaults() {
        return read(Key.DEFAULTS);
    }

    /**
     * Checks the values of a record, and refuses a value that its key does not accept.
     *
     * @param values one value for each key, in the order of the keys
     */
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

    /**
     * Creates the keys of a record that has more components than any method {@code of} accepts.
     *
     * @param maker creates the record; gets the value of each key with {@link Key.Values#get}
     */
    public static <R> Keys<R> reading(Function<Key.Values, R> maker, Key<?>... keys) {
        List<Key<?>> all = List.of(keys);
        return new Keys<>(
                read -> maker.apply(new Key.Values() {
                    @Override
                    public <T> T get(Key<T> key) {
                        return at(read, all.indexOf(key));
                    }
                }),
                keys);
    }

    /**
     * Creates an empty set of keys, for a section that has no keys.
     *
     * @param make returns the record
     */
    public static <R> Keys<R> none(Supplier<R> make) {
        return new Keys<>(v -> make.get());
    }

    public static <A, R> Keys<R> of(Function<A, R> make, Key<A> a) {
        return new Keys<>(v -> make.apply(at(v, 0)), a);
    }

    public static <A, B, R> Keys<R> of(BiFunction<A, B, R> make, Key<A> a, Key<B> b) {
        return new Keys<>(v -> make.apply(at(v, 0), at(v, 1)), a, b);
    }

    public static <A, B, C, R> Keys<R> of(Make3<A, B, C, R> make, Key<A> a, Key<B> b, Key<C> c) {
        return new Keys<>(v -> make.of(at(v, 0), at(v, 1), at(v, 2)), a, b, c);
    }

    public static <A, B, C, D, R> Keys<R> of(Make4<A, B, C, D, R> make, Key<A> a, Key<B> b, Key<C> c, Key<D> d) {
        return new Keys<>(v -> make.of(at(v, 0), at(v, 1), at(v, 2), at(v, 3)), a, b, c, d);
    }

    public static <A, B, C, D, E, R> Keys<R> of(
            Make5<A, B, C, D, E, R> make, Key<A> a, Key<B> b, Key<C> c, Key<D> d, Key<E> e) {
        return new Keys<>(v -> make.of(at(v, 0), at(v, 1), at(v, 2), at(v, 3), at(v, 4)), a, b, c, d, e);
    }

    public static <A, B, C, D, E, F, R> Keys<R> of(
            Make6<A, B, C, D, E, F, R> make, Key<A> a, Key<B> b, Key<C> c, Key<D> d, Key<E> e, Key<F> f) {
        return new Keys<>(v -> make.of(at(v, 0), at(v, 1), at(v, 2), at(v, 3), at(v, 4), at(v, 5)), a, b, c, d, e, f);
    }

    public static <A, B, C, D, E, F, G, R> Keys<R> of(
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

    public static <A, B, C, D, E, F, G, H, R> Keys<R> of(
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

    public static <A, B, C, D, E, F, G, H, I, R> Keys<R> of(
            Make9<A, B, C, D, E, F, G, H, I, R> make,
            Key<A> a,
            Key<B> b,
            Key<C> c,
            Key<D> d,
            Key<E> e,
            Key<F> f,
            Key<G> g,
            Key<H> h,
            Key<I> i) {
        return new Keys<>(
                v -> make.of(at(v, 0), at(v, 1), at(v, 2), at(v, 3), at(v, 4), at(v, 5), at(v, 6), at(v, 7), at(v, 8)),
                a,
                b,
                c,
                d,
                e,
                f,
                g,
                h,
                i);
    }

    public static <A, B, C, D, E, F, G, H, I, J, K, R> Keys<R> of(
            Make11<A, B, C, D, E, F, G, H, I, J, K, R> make,
            Key<A> a,
            Key<B> b,
            Key<C> c,
            Key<D> d,
            Key<E> e,
            Key<F> f,
            Key<G> g,
            Key<H> h,
            Key<I> i,
            Key<J> j,
            Key<K> k) {
        return new Keys<>(
                v -> make.of(
                        at(v, 0), at(v, 1), at(v, 2), at(v, 3), at(v, 4), at(v, 5), at(v, 6), at(v, 7), at(v, 8),
                        at(v, 9), at(v, 10)),
                a,
                b,
                c,
                d,
                e,
                f,
                g,
                h,
                i,
                j,
                k);
    }

    public interface Make3<A, B, C, R> {
        R of(A a, B b, C c);
    }

    public interface Make4<A, B, C, D, R> {
        R of(A a, B b, C c, D d);
    }

    public interface Make5<A, B, C, D, E, R> {
        R of(A a, B b, C c, D d, E e);
    }

    public interface Make6<A, B, C, D, E, F, R> {
        R of(A a, B b, C c, D d, E e, F f);
    }

    public interface Make7<A, B, C, D, E, F, G, R> {
        R of(A a, B b, C c, D d, E e, F f, G g);
    }

    public interface Make8<A, B, C, D, E, F, G, H, R> {
        R of(A a, B b, C c, D d, E e, F f, G g, H h);
    }

    public interface Make9<A, B, C, D, E, F, G, H, I, R> {
        R of(A a, B b, C c, D d, E e, F f, G g, H h, I i);
    }

    public interface Make11<A, B, C, D, E, F, G, H, I, J, K, R> {
        R of(A a, B b, C c, D d, E e, F f, G g, H h, I i, J j, K k);
    }
}
