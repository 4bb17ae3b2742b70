package dev.lychgate.config;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One key of the configuration, declared once beside the record that holds its value. The reader of files, its messages, the
 * checks of the record, the JSON Schema and the tables of {@code docs/configuration.md} are derived from it.
 *
 * <p>The methods that return {@code this} complete a declaration; they are for the initialization of constants. Bounds of
 * durations, sizes and shares are written as in the file.
 *
 * @param <T> the type of the value
 */
public final class Key<T> {
    /** The source of the values of a section: a file, the defaults, or a survey of all keys. */
    public interface Values {
        /** Returns the value, or the default if the value is missing or was refused. */
        <T> T get(Key<T> key);

        /** Returns the name of the section, if the user chose it; otherwise an empty text. */
        default String name() {
            return "";
        }

        /** Returns whether the key is present, with any value. */
        default boolean has(String key) {
            return false;
        }

        /** Notes that the section refers to an upstream, by {@code upstream}, and to endpoints of it, by {@code subset}. */
        default void refersTo(String upstream, Map<String, String> subset) {}

        /** Refuses a section without exactly one of these keys. */
        default void exactlyOne(String... keys) {}

        /** Refuses {@code key} beside {@code other}. @param instead the value that applies instead; null = the record refuses it */
        default void excludes(String key, String other, @Nullable String instead) {}

        /** Describes a check of the record to the schema: {@code other} is present if {@code key} has that value. */
        default void requires(String key, String value, String other) {}

        /** Refuses {@code key} without {@code other} beside it. */
        default void needs(String key, String other) {}

        /** Describes a check of the record to the schema: all keys of exactly one of {@code groups}. */
        default void either(String... groups) {}
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

    /** Returns a key with a default. @param otherwise null = none; {@link #absent} describes its meaning */
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

    /** Creates a key for a path without a default, relative to the file that contains it. */
    public static Key<String> file(String name) {
        return new Key<>(name, Form.FILE, null);
    }

    /** One of an enum's constants, in lower case. */
    public static <E extends Enum<E>> Key<E> choice(String name, E otherwise) {
        return new Key<>(name, Form.choice(otherwise.getDeclaringClass()), otherwise);
    }

    /** One of an enum's constants. @param label how the file writes it */
    public static <E extends Enum<E>> Key<E> choice(String name, E otherwise, Function<E, String> label) {
        return new Key<>(name, Form.choice(otherwise.getDeclaringClass(), label), otherwise);
    }

    /** A list, empty by default. */
    public static <T> Key<List<T>> list(String name, Form<T> item) {
        return new Key<>(name, Form.list(item), List.of());
    }

    /** A mapping of texts, empty by default. @param by what its keys are */
    public static Key<Map<String, String>> texts(String name, String by) {
        return new Key<>(name, Form.mapping(Form.TEXT, by), Map.of());
    }

    /** Returns a key with a mapping of known keys. @param otherwise the value of an empty mapping; null = none */
    static <T> Key<T> section(String name, @Nullable T otherwise, Function<Values, T> reader) {
        return new Key<>(name, Form.section(reader), otherwise);
    }

    /** A mapping of the keys of a record. @param keys are not needed before the mapping is there */
    static <R> Key<R> section(String name, @Nullable R otherwise, Supplier<Keys<R>> keys) {
        return section(name, otherwise, values -> keys.get().read(values));
    }

    /** A mapping of the keys of a record, all of which have defaults. */
    static <R> Key<R> section(String name, Keys<R> keys) {
        return section(name, keys.defaults(), keys::read);
    }

    public Key<T> about(String sentence) {
        about = sentence;
        return this;
    }

    /** Sets the text for a missing value on the reference page. */
    public Key<T> absent(String words) {
        absent = words;
        return this;
    }

    /** Makes the key required; the default replaces a value that was refused. */
    public Key<T> required(String expected) {
        required = expected;
        return this;
    }

    /** Requires that no other section of the file has the same value. */
    Key<T> unique(String expected) {
        unique = expected;
        return this;
    }

    /** Sets the unit that a number counts. */
    public Key<T> unit(String things) {
        unit = things;
        return this;
    }

    /** Sets the release that introduced the key; for keys added after the first release. */
    Key<T> since(String release) {
        since = release;
        return this;
    }

    /** Declares that a change needs a restart. */
    Key<T> restart() {
        restart = true;
        return this;
    }

    /** Sets another description of the type. */
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

    /** Returns this key with an absence that differs from the default. @param words its meaning; null = the default, later */
    Key<T> optional(@Nullable String words) {
        Key<T> copy = new Key<>(name, form, null);
        String shown = otherwise == null ? "-" : form.print().apply(otherwise);
        return copy.about(about).absent(words == null ? "`" + shown + "`" : words);
    }

    /** Sets the minimum; of a list, the fewest items. */
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

    /** More than 0. */
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

    /** Refuses a value out of range. @throws ConfigException that names this key */
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

    /** The default. Null only if the type of the value permits it. */
    @SuppressWarnings("NullAway")
    public T otherwise() {
        return otherwise;
    }

    /** The description of the required value; null if the key is optional. */
    public @Nullable String requires() {
        return required;
    }

    /** The meaning of a missing value, in words; null if the default describes it. */
    public @Nullable String absence() {
        return absent;
    }

    /** The message for a second section with the same value; null if duplicates are accepted. */
    public @Nullable String uniqueness() {
        return unique;
    }

    /** The counted unit; null if none. */
    public @Nullable String unit() {
        return unit;
    }

    /** The release that introduced the key; null = the first release. */
    public @Nullable String release() {
        return since;
    }

    /** Whether a change requires a restart. */
    public boolean needsRestart() {
        return restart;
    }

    /** The description: one sentence in Markdown, without capital and full stop. */
    public String about() {
        return about;
    }
}
