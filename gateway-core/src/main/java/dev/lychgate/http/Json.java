package dev.lychgate.http;

import java.lang.reflect.Array;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes JSON as maps, lists and values. Strict: no comments, no trailing commas, no repeated members, no
 * unpaired surrogates, no malformed UTF-8, at most {@value #DEEPEST} levels, and at most {@value #LONGEST_NUMBER}
 * characters per number.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc8259">RFC 8259 JSON</a>
 */
public final class Json {
    private static final int DEEPEST = 64;
    /** The maximum number of characters of a number. The conversion of longer numbers takes too much time. */
    private static final int LONGEST_NUMBER = 64;
    /** The character to which malformed bytes are decoded. */
    private static final char REPLACEMENT = '\uFFFD';
    /** The maximum absolute value of an exponent. It is greater than the largest exponent of a double. */
    private static final int GREATEST_EXPONENT = 400;

    private final String text;
    private int at;
    private int depth;

    private Json(String text) {
        this.text = text;
    }

    /**
     * Reads a JSON document.
     *
     * @throws IllegalArgumentException if the text is not JSON. The message contains the position but no part of the
     *     text
     */
    public static @Nullable Object read(String text) {
        Json json = new Json(text);
        Object value = json.value();
        json.blanks();
        if (json.at < text.length()) {
            throw json.malformed();
        }
        return value;
    }

    /**
     * Reads a JSON document in UTF-8, with or without a byte order mark. Throws the same exceptions as {@link
     * #read(String)}.
     */
    public static @Nullable Object read(byte[] document) {
        String text = text(document, 0, document.length);
        return read(text.startsWith("\uFEFF") ? text.substring(1) : text);
    }

    /**
     * Decodes UTF-8.
     *
     * @throws IllegalArgumentException if the bytes are not valid UTF-8, because other recipients could decode them
     *     differently
     */
    public static String text(byte[] bytes, int from, int to) {
        String text = new String(bytes, from, to - from, StandardCharsets.UTF_8);
        // Malformed bytes always decode to a replacement character. If the text contains no replacement character, the
        // slow exact decoder is not needed.
        if (text.indexOf(REPLACEMENT) >= 0) {
            ByteBuffer read = ByteBuffer.wrap(bytes, from, to - from);
            CharBuffer chars = CharBuffer.allocate(to - from);
            if (StandardCharsets.UTF_8.newDecoder().decode(read, chars, true).isError()) {
                throw new IllegalArgumentException(
                        "malformed JSON: invalid UTF-8 at byte " + (read.position() - from + 1) + " of " + (to - from));
            }
        }
        return text;
    }

    private IllegalArgumentException malformed() {
        return new IllegalArgumentException(
                at >= text.length()
                        ? "malformed JSON: the text ends too early, after character " + text.length()
                        : "malformed JSON at character " + (at + 1) + " of " + text.length());
    }

    private IllegalArgumentException outOfRange() {
        return new IllegalArgumentException("malformed JSON: a number out of range before character "
                + Math.min(at + 1, text.length()) + " of " + text.length());
    }

    private void blanks() {
        while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
    }

    /** Skips blanks and returns the next character. Does not consume this character. */
    private char peek() {
        blanks();
        if (at == text.length()) {
            throw malformed();
        }
        return text.charAt(at);
    }

    private boolean takes(char expected) {
        boolean there = peek() == expected;
        at += there ? 1 : 0;
        return there;
    }

    private void require(char expected) {
        if (!takes(expected)) {
            throw malformed();
        }
    }

    private @Nullable Object value() {
        return switch (peek()) {
            case '{' -> object();
            case '[' -> array();
            case '"' -> string();
            case 't' -> word("true", true);
            case 'f' -> word("false", false);
            case 'n' -> word("null", null);
            default -> number();
        };
    }

    private @Nullable Object word(String word, @Nullable Object meaning) {
        if (!text.startsWith(word, at)) {
            throw malformed();
        }
        at += word.length();
        return meaning;
    }

    private void enter() {
        at++;
        if (++depth > DEEPEST) {
            throw new IllegalArgumentException(
                    "malformed JSON: more than " + DEEPEST + " levels at character " + at + " of " + text.length());
        }
    }

    private Map<String, @Nullable Object> object() {
        enter();
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        if (!takes('}')) {
            do {
                if (peek() != '"') {
                    throw malformed();
                }
                String name = string();
                require(':');
                Object value = value();
                if (members.containsKey(name)) {
                    throw malformed();
                }
                members.put(name, value);
            } while (takes(','));
            require('}');
        }
        depth--;
        return members;
    }

    private List<@Nullable Object> array() {
        enter();
        List<@Nullable Object> elements = new ArrayList<>();
        if (!takes(']')) {
            do {
                elements.add(value());
            } while (takes(','));
            require(']');
        }
        depth--;
        return elements;
    }

    private String string() {
        StringBuilder read = new StringBuilder();
        for (at++; at < text.length(); at++) {
            char c = text.charAt(at);
            if (c == '"') {
                at++;
                return paired(read);
            } else if (c < ' ') {
                throw malformed();
            } else if (c == '\\') {
                at++;
                read.append(escaped());
            } else {
                read.append(c);
            }
        }
        throw malformed();
    }

    /**
     * Returns the text of a string. Rejects an unpaired surrogate: UTF-8 cannot represent it, and recipients interpret
     * it differently.
     */
    private String paired(StringBuilder read) {
        for (int i = 0; i < read.length(); i++) {
            if (Character.isSurrogate(read.charAt(i))) {
                boolean pair = i + 1 < read.length() && Character.isSurrogatePair(read.charAt(i), read.charAt(i + 1));
                if (!pair) {
                    throw new IllegalArgumentException("malformed JSON: an unpaired surrogate before character "
                            + Math.min(at + 1, text.length()) + " of " + text.length());
                }
                i++;
            }
        }
        return read.toString();
    }

    private char escaped() {
        int which = at < text.length() ? "\"\\/bfnrtu".indexOf(text.charAt(at)) : -1;
        if (which < 0) {
            throw malformed();
        }
        if (which < 8) {
            return "\"\\/\b\f\n\r\t".charAt(which);
        }
        int code = 0;
        for (int i = 0; i < 4; i++) {
            at++;
            int digit = at < text.length() && text.charAt(at) < 128 ? Character.digit(text.charAt(at), 16) : -1;
            if (digit < 0) {
                throw malformed();
            }
            code = code << 4 | digit;
        }
        return (char) code;
    }

    private Number number() {
        int start = at;
        boolean negative = takes('-');
        boolean zero = at < text.length() && text.charAt(at) == '0';
        int whole = digits();
        if (whole == 0 || (zero && whole > 1)) {
            throw malformed();
        }
        boolean integer = true;
        if (at < text.length() && text.charAt(at) == '.') {
            integer = false;
            at++;
            requireDigits();
        }
        if (at < text.length() && (text.charAt(at) | 0x20) == 'e') {
            integer = false;
            at++;
            if (at < text.length() && (text.charAt(at) == '+' || text.charAt(at) == '-')) {
                at++;
            }
            requireDigits();
        }
        if (at - start > LONGEST_NUMBER) {
            throw outOfRange();
        }
        String digits = text.substring(start, at);
        if (!integer) {
            return decimal(digits);
        }
        return whole + (negative ? 1 : 0) <= 18 ? (Number) Long.valueOf(digits) : new BigInteger(digits);
    }

    private BigDecimal decimal(String digits) {
        try {
            BigDecimal number = new BigDecimal(digits);
            // With a larger exponent, arithmetic would compute a very large number of digits.
            if (Math.abs((long) number.scale()) > GREATEST_EXPONENT) {
                throw outOfRange();
            }
            return number;
        } catch (NumberFormatException exponent) {
            throw outOfRange();
        }
    }

    private int digits() {
        int start = at;
        while (at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9') {
            at++;
        }
        return at - start;
    }

    private void requireDigits() {
        if (digits() == 0) {
            throw malformed();
        }
    }

    /**
     * Writes {@code value}: maps, iterables, arrays, numbers, booleans and null; objects of other types become strings.
     *
     * @throws IllegalArgumentException if a number is not finite, or values are nested more than {@value #DEEPEST}
     *     levels deep
     */
    public static String write(@Nullable Object value) {
        StringBuilder text = new StringBuilder();
        append(text, value, 0);
        return text.toString();
    }

    private static void append(StringBuilder to, @Nullable Object value, int depth) {
        if (depth > DEEPEST) {
            throw new IllegalArgumentException("values are nested more than " + DEEPEST + " levels deep");
        }
        if (value instanceof Map<?, ?> map) {
            String separator = "{";
            for (Map.Entry<?, ?> member : map.entrySet()) {
                append(to.append(separator), String.valueOf(member.getKey()), depth);
                append(to.append(':'), member.getValue(), depth + 1);
                separator = ",";
            }
            to.append(map.isEmpty() ? "{}" : "}");
        } else if (value instanceof Iterable<?> elements) {
            to.append('[');
            String separator = "";
            for (Object element : elements) {
                append(to.append(separator), element, depth + 1);
                separator = ",";
            }
            to.append(']');
        } else if (value != null && value.getClass().isArray()) {
            to.append('[');
            for (int i = 0; i < Array.getLength(value); i++) {
                append(to.append(i == 0 ? "" : ","), Array.get(value, i), depth + 1);
            }
            to.append(']');
        } else if (value == null || value instanceof Boolean || value instanceof Number) {
            if ((value instanceof Double || value instanceof Float)
                    && !Double.isFinite(((Number) value).doubleValue())) {
                throw new IllegalArgumentException("JSON cannot represent a number that is not finite");
            }
            to.append(value);
        } else {
            to.append('"').append(JsonText.escape(value.toString())).append('"');
        }
    }
}
