package dev.lychgate.server.yaml;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Collects the errors of one file. Duplicate errors are reported once. They occur because a section with a refused
 * value is read again to find the errors of its other values.
 */
final class Faults {
    private static final int MOST_READINGS = 10_000;
    private final String file;
    private final Set<Fault> found = new LinkedHashSet<>();
    /**
     * The errors to report. The keys of this map omit the indices of lists. Therefore, an error in a value of a group
     * is reported only one time, although the value is read for each route of the group.
     */
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

    /** Returns whether the value at {@code path}, or a value within it, has an error. */
    boolean areWithin(String path) {
        return found.stream()
                .map(Fault::key)
                .anyMatch(key ->
                        path.isEmpty() || key.equals(path) || key.startsWith(path + "[") || key.startsWith(path + "."));
    }

    /** Returns whether the value at {@code path} as a whole has an error. */
    boolean areAt(String path) {
        return found.stream().anyMatch(fault -> fault.key().equals(path));
    }

    /** Returns whether more errors were found than are reported. */
    boolean isFull() {
        return told.size() > FaultyConfigException.MOST || found.size() > MOST_READINGS;
    }

    boolean isEmpty() {
        return found.isEmpty();
    }

    FaultyConfigException refusal() {
        List<Fault> sorted = told.values().stream().sorted(Fault.BY_POSITION).toList();
        return new FaultyConfigException(sorted);
    }

    /** Returns an exception with a single error, for a file that can't be parsed. */
    static FaultyConfigException only(String file, Position at, String problem, String expected) {
        return new FaultyConfigException(List.of(new Fault(file, at.line(), at.column(), "", problem, expected)));
    }
}
