package dev.lychgate.server.yaml;

import java.util.List;

/** A constraint on the combination of keys in a section. */
sealed interface Constraint {
    /** Requires all keys of exactly one group. */
    record ExactlyOne(List<List<String>> groups) implements Constraint {}

    /** Requires exactly one key, which may be the name of an item that an extension contributes. */
    record OneKey() implements Constraint {}

    /** Allows at most one of the two keys. */
    record NotBoth(String key, String other) implements Constraint {}

    /** Requires the key {@code other} if {@code key} has the value {@code value}. */
    record With(String key, String value, String other) implements Constraint {}

    /** Allows {@code key} only together with {@code other}. */
    record Needs(String key, String other) implements Constraint {}

    /**
     * Allows keys that are not declared, if they are names of items that extensions contribute. The value of such a key
     * contains the settings of the item.
     */
    record Named() implements Constraint {}
}
