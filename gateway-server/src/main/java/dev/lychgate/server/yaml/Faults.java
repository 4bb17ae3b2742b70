package dev.lychgate.server.yaml;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Gathers the faults of one file. The same fault found twice counts once: a section is read again when one of its
 * values was refused, so that the others get their say.
 */
final class Faults {
    private static final int MOST_READINGS = 10_000;
    private final String file;
    private final Set<Fault> found = new LinkedHashSet<>();
    /** By place and problem: a value of a group is read for each of its routes. */
    private final Map<String, Fault> told = new LinkedHashMap<>();

    Faults(String file) {
        this.file = file;
    }

    void add(Position at, String key, String problem, String expected) {
        if (!isFull()) {
            Fault fault = new Fault(at.in(file), at.line(), at.column(), key, problem, expected);
            found.add(fault);
            told.putIfAbsent(fault.toString().replaceAll("\\[\\d+]", "[]"), fault);
        }
    }

    /** Whether the value at {@code path}, or anything in it, is at fault. */
    boolean areWithin(String path) {
        return found.stream()
                .map(Fault::key)
                .anyMatch(key ->
                        path.isEmpty() || key.equals(path) || key.startsWith(path + "[") || key.startsWith(path + "."));
    }

    /** Whether the value at {@code path} is at fault as a whole. */
    boolean areAt(String path) {
        return found.stream().anyMatch(fault -> fault.key().equals(path));
    }

    /** Whether more are known than anybody will be told. */
    boolean isFull() {
        return told.size() > FaultyConfigException.MOST || found.size() > MOST_READINGS;
    }

    boolean isEmpty() {
        return found.isEmpty();
    }

    /** What was found, as the exception that carries it. */
    FaultyConfigException refusal() {
        List<Fault> sorted = told.values().stream().sorted(Fault.BY_POSITION).toList();
        return new FaultyConfigException(sorted);
    }

    /** A file that could not even be taken apart: there is nothing more to look for. */
    static FaultyConfigException only(String file, Position at, String problem, String expected) {
        return new FaultyConfigException(List.of(new Fault(file, at.line(), at.column(), "", problem, expected)));
    }
}
