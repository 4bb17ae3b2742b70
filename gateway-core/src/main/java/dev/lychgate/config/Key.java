package dev.lychgate.config;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One key of the configuration. The value of the key is a component of a record, and the class of this record declares
 * the key. Everything else is derived from the declaration: the file reader and its messages, the checks of the record,
 * the JSON Schema and the tables of {@code docs/configuration.md}.
 *
 * <p>The methods that return {@code this} change the key. Call these methods only in the initializer of the constant
 * that contains the key. Pass the bounds of durations, sizes and shares as texts, as in the file.
 *
 * @param <T> the type of the value
 */
public final class Key<T> {
    /**
     * Supplies the values of a section from one of three sources: a file, the defaults, or a survey that lists all keys
     * for the schema.
     */
    public interface Values {
        /** Returns the value of {@code key}, or its default if the value is missing or was refused. */
        <T> T get(Key<T> key);

        /**
         * Returns an item that a section contains directly instead of in a list, such as {@code jwt} in {@code
         * authenticate: { jwt: { ... } }}. Returns null if the section contains no such item. Called after all declared
         * keys have been read.
         *
         * @param list the name of the key for several items
         */
        default <T> @Nullable T named(Form<T> item, String list) {
            return null;
        }

        /** Returns whether the values come from a section that a user has written. */
        default boolean isRead() {
            return false;
        }

        /** Returns the name of the section if the user chose it; otherwise, an empty text. */
        default String name() {
            return "";
        }

        /** Returns whether the section contains the key, with any value. */
        default boolean has(String key) {
            return false;
        }

        /**
         * Records that the section refers to the upstream {@code upstream}, and to its endpoints with the metadata
         * {@code subset}.
         */
        default void refersTo(String upstream, Map<String, String> subset) {}

        /** Refuses a section that does not contain exactly one of these keys. */
        default void exactlyOne(String... keys) {}

        /**
         * Refuses a section that does not contain exactly one of these keys. An item that replaces a list, as in {@link
         * #named}, counts as one of the keys. Called after all declared keys have been read.
         *
         * @return the item that replaces a list; null if the section contains none
         */
        default <T> @Nullable T exactlyOne(Form<T> item, String... keys) {
            return null;
        }

        /**
         * Refuses {@code key} in a section that contains {@code other}.
         *
         * @param instead the values that apply in place of the key, as words for the message; null = this method only
         *     adds the condition to the JSON Schema, and the record itself refuses the key
         */
        default void excludes(String key, String other, @Nullable String instead) {}

        /**
         * Adds a condition to the JSON Schema: if {@code key} has the value {@code value}, {@code other} must be
         * present. The record itself checks the condition.
         */
        default void requires(String key, String value, String other) {}

        /** Refuses {@code key} in a section that does not contain {@code other}. */
        default void needs(String key, String other) {}

        /**
         * Adds a condition to the JSON Schema: the section must contain all keys of exactly one of {@code groups}. The
         * record itself checks the condition.
         */
        default void either(String... groups) {}
    }

    /** The keys of a section. The value of the section is a record. */
    public interface SectionKeys<R> {
        /**
         * Returns the record of the section.
         *
         * @throws ConfigException if the record refuses a value
         */
        R read(Values values);

        /** Returns the record with the default of each key. */
        R defaults();
    }

    /** No values: every key has its default. */
    public static final Values DEFAULTS = new Values() {
        @Override
        public <T> T get(Key<T> key) {
            return key.otherwise();
        }
    };

    private final String name;
    private Form<T> form;
    private final @Nullable T otherwise;
    private @Nullable String absent;
    private @Nullable String required;
    private @Nullable String unique;
    private @Nullable String unit;
    private @Nullable String since;
    private boolean restart;
    private String about = "";

    private Key(String name, Form<T> form, @Nullable T otherwise) {
        this.name = name;
        this.form = form;
        this.otherwise = otherwise;
    }

    /**
     * Creates a key with a default.
     *
     * @param otherwise the default; null = none, in which case {@link #absent} describes the meaning of a missing value
     */
    public static <T> Key<T> typed(String name, Form<T> form, @Nullable T otherwise) {
        return new Key<>(name, form, otherwise);
    }

    public static Key<Integer> number(String name, int otherwise) {
        return new Key<>(name, Form.NUMBER, otherwise);
    }

    public static Key<Boolean> flag(String name, boolean otherwise) {
        return new Key<>(name, Form.FLAG, otherwise);
    }

    public static Key<Duration> duration(String name, String otherwise) {
        return new Key<>(name, Form.DURATION, Durations.parse(otherwise));
    }

    public static Key<ByteSize> size(String name, String otherwise) {
        return new Key<>(name, Form.SIZE, ByteSize.parse(otherwise));
    }

    public static Key<Percent> percent(String name, String otherwise) {
        return new Key<>(name, Form.PERCENT, Percent.parse(otherwise));
    }

    /** Creates a text key without a default. */
    public static Key<String> text(String name) {
        return new Key<>(name, Form.TEXT, null);
    }

    /** Creates a key for a path, without a default. The path is relative to the file that contains the key. */
    public static Key<String> file(String name) {
        return new Key<>(name, Form.FILE, null);
    }

    /** Creates a key whose value is an enum constant. The file contains the name of the constant in lower case. */
    public static <E extends Enum<E>> Key<E> choice(String name, E otherwise) {
        return new Key<>(name, Form.choice(otherwise.getDeclaringClass()), otherwise);
    }

    /**
     * Creates a key whose value is an enum constant.
     *
     * @param label returns the text of a constant in the file
     */
    public static <E extends Enum<E>> Key<E> choice(String name, E otherwise, Function<E, String> label) {
        return new Key<>(name, Form.choice(otherwise.getDeclaringClass(), label), otherwise);
    }

    /** Creates a key for a list, which is empty by default. */
    public static <T> Key<List<T>> list(String name, Form<T> item) {
        return new Key<>(name, Form.list(item), List.of());
    }

    /**
     * Creates a key for a mapping of texts, which is empty by default.
     *
     * @param by a description of the keys of the mapping
     */
    public static Key<Map<String, String>> texts(String name, String by) {
        return new Key<>(name, Form.mapping(Form.TEXT, by), Map.of());
    }

    /**
     * Creates a key whose value is a section: a mapping of known keys.
     *
     * @param otherwise the value if the section is missing; null = no value
     */
    static <T> Key<T> section(String name, @Nullable T otherwise, Function<Values, T> reader) {
        return new Key<>(name, Form.section(reader), otherwise);
    }

    /**
     * Creates a key whose value is a section. The section is read into a record, whose class declares the keys of the
     * section.
     *
     * @param keys supplies the keys of the section; called only if the section is present
     */
    static <R> Key<R> section(String name, @Nullable R otherwise, Supplier<SectionKeys<R>> keys) {
        return section(name, otherwise, values -> keys.get().read(values));
    }

    /**
     * Creates a key whose value is a section. The section is read into a record, whose class declares the keys of the
     * section. All keys of the section have defaults.
     */
    static <R> Key<R> section(String name, SectionKeys<R> keys) {
        return section(name, keys.defaults(), keys::read);
    }

    public Key<T> about(String sentence) {
        about = sentence;
        return this;
    }

    /** Sets the text that describes a missing value on the reference page. */
    public Key<T> absent(String words) {
        absent = words;
        return this;
    }

    /** Makes the key required. The default is used only in place of a value that was refused. */
    public Key<T> required(String expected) {
        required = expected;
        return this;
    }

    /** Requires that the value of this key differs in all sections of the file that contain the key. */
    Key<T> unique(String expected) {
        unique = expected;
        return this;
    }

    /** Sets the unit of a number, such as connections. */
    public Key<T> unit(String things) {
        unit = things;
        return this;
    }

    /** Sets the release that introduced the key. Used for keys that were added after the first release. */
    Key<T> since(String release) {
        since = release;
        return this;
    }

    /** Declares that a change of the value needs a restart. */
    Key<T> restart() {
        restart = true;
        return this;
    }

    /** Replaces the description of the type on the reference page. */
    public Key<T> called(String type) {
        form = form.called(type);
        return this;
    }

    public Key<T> matching(String regex, String expected) {
        return matching(new Form.Rule(regex, expected));
    }

    public Key<T> matching(Form.Rule rule) {
        form = form.matching(rule);
        return this;
    }

    /**
     * Returns a copy of this key with null as its default.
     *
     * @param words the meaning of a missing value; null = other code later replaces a missing value with the default of
     *     this key
     */
    Key<T> optional(@Nullable String words) {
        Key<T> copy = new Key<>(name, form, null);
        String shown = otherwise == null ? "-" : form.print().apply(otherwise);
        return copy.about(about).absent(words == null ? "`" + shown + "`" : words);
    }

    /** Sets the minimum of the value; for a list, the minimum number of items. */
    public Key<T> atLeast(Object lowest) {
        return within(bound(lowest), Long.MAX_VALUE, false);
    }

    public Key<T> atMost(Object highest) {
        return within(0, bound(highest), false);
    }

    public Key<T> between(Object lowest, Object highest) {
        return within(bound(lowest), bound(highest), false);
    }

    public Key<T> zeroOr(Object lowest, Object highest) {
        return within(bound(lowest), bound(highest), true);
    }

    Key<T> zeroOrAtLeast(Object lowest) {
        return within(bound(lowest), Long.MAX_VALUE, true);
    }

    /** Requires a value greater than 0. */
    public Key<T> positive() {
        return within(1, Long.MAX_VALUE, false);
    }

    private Key<T> within(long lowest, long highest, boolean orZero) {
        form = form.within(new Form.Range(lowest, highest, orZero));
        return this;
    }

    private long bound(Object written) {
        return written instanceof Integer n
                ? n
                : form.measure().applyAsLong(form.parse().apply(written.toString()));
    }

    /**
     * Refuses a value that this key does not accept.
     *
     * @throws ConfigException if the value is refused; the message names this key
     */
    void check(@Nullable T value) {
        if (value != null) {
            form.check(name, value);
        }
    }

    /** Returns the name of the key in its section. */
    public String name() {
        return name;
    }

    public Form<T> form() {
        return form;
    }

    /** Returns the default. It is null only if the type of the value permits null. */
    @SuppressWarnings("NullAway")
    public T otherwise() {
        return otherwise;
    }

    /** Returns the description of the required value; null if the key is optional. */
    public @Nullable String requires() {
        return required;
    }

    /** Returns the meaning of a missing value in words; null if the default describes it. */
    public @Nullable String absence() {
        return absent;
    }

    /**
     * Returns the message for the case that two sections have equal values of this key; null if equal values are
     * accepted.
     */
    public @Nullable String uniqueness() {
        return unique;
    }

    /** Returns the unit of the number; null if the number has no unit. */
    public @Nullable String unit() {
        return unit;
    }

    /** Returns the release that introduced the key; null = the first release. */
    public @Nullable String release() {
        return since;
    }

    /** Returns whether a change of the value requires a restart. */
    public boolean needsRestart() {
        return restart;
    }

    /**
     * Returns the description of the key: one sentence in Markdown, without an initial capital letter and without a
     * final full stop.
     */
    public String about() {
        return about;
    }
}
