package dev.lychgate.config;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Describes the values of a {@link Key}: their syntax in the file, and the accepted values. The file reader, the JSON
 * Schema and the reference page are derived from this description.
 *
 * @param kind the syntax in the file
 * @param words the description of the type on the reference page
 * @param schema the name of a definition in the JSON Schema, such as {@code duration}, or a regular expression between
 *     {@code ^} and {@code $}
 * @param parse reads the text of a {@link Kind#TEXT} or {@link Kind#AMOUNT}. If the text is malformed, throws an
 *     IllegalArgumentException whose message states the expected values
 * @param print writes a value as the file contains it
 * @param measure returns the number to which {@code range} applies
 * @param choices all accepted texts, if they can be listed
 * @param item for a list or mapping, the form of its items; for a section, the form of the plain value, such as {@code
 *     off}, that the file may contain instead of the section; null = none
 * @param section reads a section; null if the value is not a section
 * @param rule the regular expression that texts must match; null = none
 * @param range the accepted numbers; null = all
 */
public record Form<T>(
        Kind kind,
        String words,
        String schema,
        Function<String, T> parse,
        Function<T, String> print,
        ToLongFunction<T> measure,
        List<String> choices,
        @Nullable Form<?> item,
        @Nullable Function<Key.Values, T> section,
        @Nullable Rule rule,
        @Nullable Range range) {

    /** The syntax of a value. */
    public enum Kind {
        TEXT,
        /** Text that is never displayed. */
        SECRET,
        /** A path, relative to the file that contains it. */
        FILE,
        /** A number with a unit, or a bare 0. */
        AMOUNT,
        NUMBER,
        FLAG,
        /** A list of items; a single item may replace the list if the schema is {@code one}. */
        LIST,
        /** A mapping with keys that the user chooses. */
        MAPPING,
        /** A mapping of known keys. */
        SECTION,
        /** A filter with settings; the kind of the filter declares the settings. */
        FILTER,
        /** The section of an extension, which declares the keys. */
        EXTENSION,
        /**
         * A mapping with values for some keys of a section, such as the defaults of all routes. The values are copied
         * to each section to which they apply, before that section is read.
         */
        PARTIAL
    }

    /** A regular expression that must match the whole text. */
    public record Rule(String regex, String expected) {}

    /** The accepted numbers, including both ends. If {@code orZero} is true, 0 is also accepted. */
    public record Range(long lowest, long highest, boolean orZero) {
        boolean contains(long n) {
            return (orZero && n == 0) || (n >= lowest && n <= highest);
        }
    }

    static final Rule NAME = new Rule(
            "[A-Za-z0-9][A-Za-z0-9._-]{0,63}", "a name of at most 64 characters: letters, digits, '.', '_' and '-'");

    /** A secret of at least 16 characters. A shorter secret could be found by brute force. */
    static final Rule SECRET_RULE = new Rule("[!-~]{16,256}", "16 to 256 characters of ASCII without blanks");

    static final Rule HOST_FIELD = new Rule(
            "([A-Za-z0-9._-]+|\\[[0-9A-Fa-f:.]+])(:\\d{1,5})?",
            "a host name with or without a port, such as api.example:9000");

    /** A token of RFC 9110, 5.6.2. The limit of the length detects mistakes. */
    private static final String TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]{1,128}";

    public static final Form<String> TEXT = text("text", text -> text);
    public static final Form<String> SECRET = of(Kind.SECRET, "text", "text", text -> text);
    public static final Form<String> FILE = of(Kind.FILE, "path", "text", text -> text);
    public static final Form<String> NAMED = text("name", text -> text).matching(NAME);
    /** The name of an upstream. A configuration is refused if it contains no upstream with this name. */
    public static final Form<String> UPSTREAM =
            text("name of an upstream", text -> text).matching(NAME);
    /**
     * The target of a call-out: the name of an upstream, or a URL with an origin of {@code filters.call-outs}. A
     * configuration is refused if it contains neither the upstream nor the origin.
     */
    public static final Form<String> CALL_TARGET = text("name of an upstream, or URL", Form::callTarget);
    /** A name as in {@link #NAMED}, or an empty text, which means that there is no name. */
    static final Form<String> NAMED_OR_NONE = NAMED.matching("(" + NAME.regex + ")?", NAME.expected);

    public static final Form<String> FIELD_NAME =
            text("field name", text -> text).matching(new Rule(TOKEN, "the name of a header field"));
    public static final Form<String> COOKIE_NAME = TEXT.matching(new Rule(TOKEN, "the name of a cookie"));
    public static final Form<Cidr> ADDRESS_BLOCK = text("address block", Cidr::parse);
    /** A regular expression of limited size. The value is the text of the expression. */
    public static final Form<String> REGEX = text("regular expression", text -> {
        RegularExpression.compile(text);
        return text;
    });

    public static final Form<Boolean> FLAG = of(Kind.FLAG, "`true` or `false`", "flag", Boolean::valueOf);
    public static final Form<Integer> NUMBER =
            of(Kind.NUMBER, "whole number", "number", Integer::valueOf).measured(Integer::longValue);
    public static final Form<Long> LONG =
            of(Kind.NUMBER, "whole number", "number", Long::valueOf).measured(Long::longValue);
    public static final Form<Duration> DURATION = of(Kind.AMOUNT, "duration", "duration", Durations::parse)
            .printed(Durations::print)
            .measured(Duration::toNanos)
            .from(0);
    /** A duration that may also be written in microseconds, such as {@code 250us}. */
    public static final Form<Duration> PRECISE = of(
                    Kind.AMOUNT, "duration, also in us", "precise", Durations::parsePrecise)
            .printed(Durations::print)
            .measured(Duration::toNanos);

    public static final Form<ByteSize> SIZE =
            of(Kind.AMOUNT, "size", "size", ByteSize::parse).measured(ByteSize::bytes);
    public static final Form<Percent> PERCENT =
            of(Kind.AMOUNT, "percent", "percent", Percent::parse).measured(Percent::value);
    public static final Form<SampleRate> RATE = of(Kind.AMOUNT, "rate", "sample", SampleRate::parse);
    /** A decimal number of up to 64 characters. The ends of its range may have up to 9 decimal places. */
    public static final Form<BigDecimal> DECIMAL = of(Kind.AMOUNT, "number", "scalar", Form::decimal)
            .printed(BigDecimal::toPlainString)
            .measured(Form::billionths);
    /** A text, number or flag that is parsed later. */
    static final Form<String> SCALAR = of(Kind.AMOUNT, "value", "scalar", text -> text);

    public static final Form<FilterConfig> FILTER = of(Kind.FILTER, "filter", "filter", FilterConfig::of);

    /** An authenticator of an extension, with its settings. */
    public static final Form<FilterConfig> AUTHENTICATOR =
            of(Kind.FILTER, "authenticator", "authenticator", FilterConfig::of);

    /**
     * An authorizer of an extension, with its settings. A text in place of the settings is a rule for the authorizer
     * {@code cel}.
     */
    public static final Form<FilterConfig> AUTHORIZER = of(Kind.FILTER, "rule", "authorizer", FilterConfig::of);

    /** A fleet store that an extension contributes, with its settings. */
    static final Form<FilterConfig> FLEET_STORE = of(Kind.FILTER, "store", "store", FilterConfig::of);

    static final Form<ExtensionConfig> EXTENSION = of(Kind.EXTENSION, "extension", "extension", text -> {
        throw new IllegalArgumentException("a mapping of keys to values");
    });

    private static String callTarget(String text) {
        if (text.indexOf('/') >= 0) {
            EndpointAddress.originOf(text);
        } else if (!text.matches(NAME.regex)) {
            throw new IllegalArgumentException("the name of an upstream, or an origin of filters.call-outs");
        }
        return text;
    }

    private static BigDecimal decimal(String text) {
        if (text.matches("[+-]?[0-9.]{1,64}([eE][+-]?[0-9]{1,3})?")) {
            try {
                return new BigDecimal(text);
            } catch (NumberFormatException e) {
                // The text has several decimal points, or has no digits.
            }
        }
        throw new IllegalArgumentException("a number");
    }

    /**
     * Returns the number in billionths. Rounds away from 0, so that a number slightly above a bound does not become
     * equal to the bound. Results beyond the range of long are saturated.
     */
    private static long billionths(BigDecimal number) {
        BigDecimal all = number.movePointRight(9).setScale(0, RoundingMode.UP);
        return all.min(BigDecimal.valueOf(Long.MAX_VALUE))
                .max(BigDecimal.valueOf(Long.MIN_VALUE))
                .longValueExact();
    }

    private static <T> Form<T> of(Kind kind, String words, String schema, Function<String, T> parse) {
        return new Form<>(kind, words, schema, parse, String::valueOf, value -> 0, List.of(), null, null, null, null);
    }

    /**
     * Returns the form of a text with a specific syntax.
     *
     * @param parse throws IllegalArgumentException if the text is malformed, with the expected values as its message
     */
    public static <T> Form<T> text(String words, Function<String, T> parse) {
        return of(Kind.TEXT, words, "text", parse);
    }

    /**
     * Returns the form of a value that is an enum constant. The file contains the name of the constant in lower case.
     */
    public static <E extends Enum<E>> Form<E> choice(Class<E> type) {
        return choice(type, constant -> constant.name().toLowerCase(Locale.ROOT));
    }

    /**
     * Returns the form of a value that is an enum constant.
     *
     * @param label returns the text of a constant in the file
     */
    public static <E extends Enum<E>> Form<E> choice(Class<E> type, Function<E, String> label) {
        List<E> all = List.of(type.getEnumConstants());
        List<String> labels = all.stream().map(label).toList();
        return words(labels, text -> all.get(labels.indexOf(text))).printed(label);
    }

    /**
     * Returns the form of a value that is one of a few words.
     *
     * @param meaning returns the value for a word
     */
    public static <T> Form<T> words(List<String> words, Function<String, T> meaning) {
        String expected = String.join(words.size() == 2 ? " or " : ", ", words);
        Form<T> form = text(words.stream().map(word -> "`" + word + "`").collect(Collectors.joining(", ")), text -> {
            if (!words.contains(text)) {
                throw new IllegalArgumentException(expected);
            }
            return meaning.apply(text);
        });
        return form.choosing(words).printed(value -> word(words, meaning, value));
    }

    private static <T> String word(List<String> words, Function<String, T> meaning, T value) {
        return words.stream()
                .filter(word -> Objects.equals(meaning.apply(word), value))
                .findFirst()
                .orElse("");
    }

    static <T> Form<Set<T>> set(Form<T> item) {
        return composite(Kind.LIST, "list", "set", String::valueOf, Set::size, item, null);
    }

    public static <T> Form<List<T>> list(Form<T> item) {
        return listOf(item, "list of " + (item.choices.isEmpty() ? item.words + "s" : item.words), "list");
    }

    /** Returns the form of a list. A file may contain the only item of the list in place of the list. */
    public static <T> Form<List<T>> oneOrList(Form<T> item) {
        return listOf(item, item.words + " or list of " + item.words + "s", "one");
    }

    private static <T> Form<List<T>> listOf(Form<T> item, String words, String schema) {
        Function<List<T>, String> print =
                list -> list.stream().map(item.print).collect(Collectors.joining(", ", "[", "]"));
        return composite(Kind.LIST, words, schema, print, List::size, item, null);
    }

    /**
     * Returns the form of a mapping with keys that the user chooses.
     *
     * @param by a description of the keys
     */
    public static <T> Form<Map<String, T>> mapping(Form<T> item, String by) {
        return composite(Kind.MAPPING, "mapping by " + by, "texts", String::valueOf, Map::size, item, null);
    }

    /**
     * Returns the form of a mapping that contains some of the keys of a section, such as the defaults of all routes.
     *
     * @param schema the definition of the form in the JSON Schema
     */
    static Form<Map<String, Object>> partial(String words, String schema) {
        return composite(Kind.PARTIAL, words, schema, String::valueOf, Map::size, null, null);
    }

    static <T> Form<T> section(Function<Key.Values, T> reader) {
        return composite(Kind.SECTION, "section", "section", String::valueOf, value -> 0, null, reader);
    }

    static <T> Form<T> section(Key.SectionKeys<T> keys) {
        return section(keys::read);
    }

    private static <T> Form<T> composite(
            Kind kind,
            String words,
            String schema,
            Function<T, String> print,
            ToLongFunction<T> measure,
            @Nullable Form<?> item,
            @Nullable Function<Key.Values, T> section) {
        Function<String, T> none = text -> {
            throw new IllegalArgumentException(words);
        };
        return new Form<>(kind, words, schema, none, print, measure, List.of(), item, section, null, null);
    }

    /** Returns a form that accepts this section, or instead a plain value that the form {@code word} reads. */
    Form<T> or(Form<? extends T> word) {
        String joined = word.words + (word.words.contains(",") ? ", or section" : " or section");
        return new Form<>(kind, joined, schema, parse, print, measure, choices, word.orMapping(), section, rule, range);
    }

    private Form<T> orMapping() {
        if (kind == Kind.FLAG) {
            return this;
        }
        String expected = String.join(", ", choices) + ", or a mapping";
        Function<String, T> checked = text -> {
            if (!choices.isEmpty() && !choices.contains(text)) {
                throw new IllegalArgumentException(expected);
            }
            return parse.apply(text);
        };
        return new Form<>(kind, words, schema, checked, print, measure, choices, item, section, rule, range);
    }

    /**
     * Returns the form of a number. The file contains {@code word} in place of the number {@code meaning}, and must not
     * contain this number itself.
     */
    static Form<Integer> numberOr(String word, int meaning) {
        String words = "`" + word + "` or whole number";
        return of(Kind.NUMBER, words, "number", text -> meaning)
                .printed(n -> n == meaning ? word : n.toString())
                .measured(Integer::longValue)
                .choosing(List.of(word));
    }

    private Form<T> choosing(List<String> all) {
        return new Form<>(kind, words, schema, parse, print, measure, all, item, section, rule, range);
    }

    /**
     * Returns this form with a pattern for its texts. Only the schema uses the pattern, because {@code parse} validates
     * the texts.
     */
    Form<T> looking(String regex) {
        return new Form<>(kind, words, "^" + regex + "$", parse, print, measure, choices, item, section, rule, range);
    }

    /**
     * Returns this form of a list, with the restriction that no item occurs twice. Only the JSON Schema contains this
     * restriction.
     */
    Form<T> distinct() {
        return new Form<>(kind, words, "distinct", parse, print, measure, choices, item, section, rule, range);
    }

    /** Returns this form with another description on the reference page. */
    public Form<T> called(String type) {
        return new Form<>(kind, type, schema, parse, print, measure, choices, item, section, rule, range);
    }

    public Form<T> matching(String regex, String expected) {
        return matching(new Rule(regex, expected));
    }

    public Form<T> matching(Rule other) {
        return new Form<>(kind, words, schema, parse, print, measure, choices, item, section, other, range);
    }

    /** Returns whether this is the form of a text that is read unchanged, such as the text of a property. */
    public boolean isScalar() {
        return kind == Kind.AMOUNT && words.equals(SCALAR.words);
    }

    /** Returns whether this is the form of the name of an upstream. */
    public boolean isUpstream() {
        return words.equals(UPSTREAM.words);
    }

    /**
     * Returns whether this is the form of a call-out target: the name of an upstream, or a URL with an origin of {@code
     * filters.call-outs}.
     */
    public boolean isCallTarget() {
        return words.equals(CALL_TARGET.words);
    }

    Form<T> within(Range other) {
        return new Form<>(kind, words, schema, parse, print, measure, choices, item, section, rule, other);
    }

    private Form<T> from(long lowest) {
        return within(new Range(lowest, Long.MAX_VALUE, false));
    }

    /** Returns a form with the syntax of this form. Its values are the results of {@code meaning}. */
    public <R> Form<R> meaning(Function<T, R> meaning) {
        return new Form<>(
                kind,
                words,
                schema,
                text -> meaning.apply(parse.apply(text)),
                String::valueOf,
                value -> 0,
                choices,
                null,
                null,
                null,
                null);
    }

    Form<T> printed(Function<T, String> other) {
        return new Form<>(kind, words, schema, parse, other, measure, choices, item, section, rule, range);
    }

    private Form<T> measured(ToLongFunction<T> other) {
        return new Form<>(kind, words, schema, parse, print, other, choices, item, section, rule, range);
    }

    /**
     * Checks {@code value} against the range and the rule of this form.
     *
     * @throws ConfigException if the value is refused; the message names {@code key}
     */
    public void check(String key, T value) {
        if (range != null && !range.contains(measure.applyAsLong(value)) && !isWord(value)) {
            boolean many = value instanceof List<?> list && !list.isEmpty();
            Object shown = many ? measure.applyAsLong(value) + " items" : print.apply(value);
            throw new ConfigException(key, shown, accepted());
        }
        if (rule != null && !String.valueOf(value).matches(rule.regex)) {
            throw new ConfigException(key, kind == Kind.SECRET ? "***" : value, rule.expected);
        }
        if (item != null && value instanceof Collection<?> list) {
            list.forEach(each -> checkItem(item, key, each));
        }
    }

    @SuppressWarnings("unchecked")
    private static <I> void checkItem(Form<I> item, String key, Object value) {
        item.check(key, (I) value);
    }

    /** Returns whether {@code value} is a number that the file represents by a word. */
    private boolean isWord(T value) {
        return kind == Kind.NUMBER && choices.contains(print.apply(value));
    }

    /** Returns the accepted values in the form that messages use, such as {@code auto, or 1 to 1024}. */
    public String accepted() {
        if (kind == Kind.LIST && range != null) {
            String items = range.lowest == 1 && range.highest == Long.MAX_VALUE ? " item" : " items";
            return String.valueOf(expected()).replace(">= ", "at least ") + items;
        }
        return (choices.isEmpty() ? "" : choices.get(0) + ", or ") + expected();
    }

    /** Returns the range in words, such as {@code 1 to 65535}; null if all values are accepted. */
    public @Nullable String expected() {
        if (range == null) {
            return null;
        }
        String zero = range.orZero ? "0, or " : "";
        if (range.lowest == 1 && kind == Kind.AMOUNT && range.highest == Long.MAX_VALUE) {
            return "> 0";
        }
        if (range.highest == Long.MAX_VALUE) {
            boolean none = range.lowest == 0 && !words.equals("number");
            return none
                    ? ">= 0 (0 = none)"
                    : zero.isEmpty() ? ">= " + amount(range.lowest) : zero + "at least " + amount(range.lowest);
        }
        return range.lowest == 0 && kind != Kind.NUMBER && !words.equals("percent") && !words.equals("number")
                ? "at most " + amount(range.highest)
                : zero + amount(range.lowest) + " to " + amount(range.highest);
    }

    private String amount(long n) {
        return switch (words) {
            case "duration", "duration, also in us" -> Durations.print(Duration.ofNanos(n));
            case "size" -> new ByteSize(n).toString();
            case "percent" -> n + "%";
            case "number" -> BigDecimal.valueOf(n, 9).stripTrailingZeros().toPlainString();
            default -> Long.toString(n);
        };
    }
}
