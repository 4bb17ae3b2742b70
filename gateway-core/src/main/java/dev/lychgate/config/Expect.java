package dev.lychgate.config;

import java.time.Duration;
import java.util.List;
import java.util.Map;

/** The checks that records share; each refuses with a {@link ConfigException} that names the key. */
final class Expect {
    /** Shorter ones are found by trying. */
    private static final int SHORTEST_SECRET = 16;

    private static final int LONGEST_SECRET = 256;

    private Expect() {}

    static void that(boolean holds, String key, Object value, String expected) {
        if (!holds) {
            throw new ConfigException(key, value, expected);
        }
    }

    static void between(int low, int high, String key, int value) {
        that(value >= low && value <= high, key, value, low + " to " + high);
    }

    static void positive(String key, Duration value) {
        that(!value.isNegative() && !value.isZero(), key, Durations.print(value), "> 0");
    }

    static void notNegative(String key, Duration value) {
        that(!value.isNegative(), key, Durations.print(value), ">= 0 (0 = none)");
    }

    static void name(String key, String value) {
        that(
                value.matches("[A-Za-z0-9][A-Za-z0-9._-]{0,63}"),
                key,
                value,
                "a name of letters, digits, '.', '_' and '-', at most 64 long");
    }

    /** As {@link #name}, but empty stands for none. */
    static void nameOrEmpty(String key, String value) {
        if (!value.isEmpty()) {
            name(key, value);
        }
    }

    static void fieldName(String key, String value) {
        token(key, value, "the name of a header field");
    }

    static void cookieName(String key, String value) {
        token(key, value, "the name of a cookie");
    }

    /** RFC 9110, 5.6.2; a longer one is a mistake. */
    private static void token(String key, String value, String expected) {
        that(value.matches("[!#$%&'*+.^_`|~0-9A-Za-z-]{1,128}"), key, value, expected);
    }

    /** What must not be guessed, and is not told. */
    static void secret(String key, String value) {
        that(
                value.length() >= SHORTEST_SECRET
                        && value.length() <= LONGEST_SECRET
                        && value.chars().allMatch(c -> c > 0x20 && c < 0x7f),
                key,
                "***",
                SHORTEST_SECRET + " to " + LONGEST_SECRET + " characters of ASCII without blanks");
    }

    /** What stands in a Host field. */
    static void hostField(String key, String value) {
        that(
                value.matches("([A-Za-z0-9._-]+|\\[[0-9A-Fa-f:.]+])(:\\d{1,5})?"),
                key,
                value,
                "a host name with or without a port, such as api.example:9000");
    }

    static <T> List<T> copy(List<T> list) {
        return List.copyOf(list);
    }

    static <K, V> Map<K, V> copy(Map<K, V> map) {
        return java.util.Collections.unmodifiableMap(new java.util.LinkedHashMap<>(map));
    }
}
