package dev.lychgate.server.yaml;

import java.util.List;

/** A condition on which keys of a section stand together. */
sealed interface Constraint {
    /** All keys of exactly one group. */
    record ExactlyOne(List<List<String>> groups) implements Constraint {}

    /** One of the two, or none. */
    record NotBoth(String key, String other) implements Constraint {}

    /** {@code other} if {@code key} has that value. */
    record With(String key, String value, String other) implements Constraint {}

    /** {@code key} only beside {@code other}. */
    record Needs(String key, String other) implements Constraint {}
}
