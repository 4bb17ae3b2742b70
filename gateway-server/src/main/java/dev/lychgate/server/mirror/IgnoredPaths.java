package dev.lychgate.server.mirror;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The paths of values that may differ. The paths are relative to one value of a document. Immutable.
 *
 * @param rest for each path through this value, the segments below it. An empty list of segments means that the value
 *     itself may differ.
 */
record IgnoredPaths(List<List<IgnoredPaths.Segment>> rest) {
    private static final IgnoredPaths NONE = new IgnoredPaths(List.of());
    private static final Pattern SEGMENT = Pattern.compile("\\.\\*|\\.([^.\\[]+)|\\[\\*]|\\[(\\d+)]|\\['([^']+)']");
    private static final int ANY = -1;

    /**
     * A part of a path.
     *
     * @param name the name of a property; empty for any property
     * @param index the index of an item, or {@link #ANY}
     */
    record Segment(boolean item, String name, int index) {
        boolean isProperty(String given) {
            return !item && (name.isEmpty() || name.equals(given));
        }

        boolean isItem(int given) {
            return item && (index == ANY || index == given);
        }
    }

    /** Compiles paths in the notation of the configuration. The result is relative to the whole document. */
    static IgnoredPaths of(List<String> paths) {
        return paths.isEmpty()
                ? NONE
                : new IgnoredPaths(paths.stream().map(IgnoredPaths::compile).toList());
    }

    private static List<Segment> compile(String path) {
        List<Segment> segments = new ArrayList<>();
        Matcher matcher = SEGMENT.matcher(path);
        while (matcher.find()) {
            String text = matcher.group();
            if (text.equals("[*]")) {
                segments.add(new Segment(true, "", ANY));
            } else if (matcher.group(2) != null) {
                segments.add(new Segment(true, "", Integer.parseInt(matcher.group(2))));
            } else {
                String name = matcher.group(1) == null ? matcher.group(3) : matcher.group(1);
                segments.add(new Segment(false, name == null ? "" : name, ANY));
            }
        }
        return List.copyOf(segments);
    }

    /** Returns whether this value and all values below it may differ. */
    boolean ignoreThis() {
        return rest.stream().anyMatch(List::isEmpty);
    }

    /** Returns the paths relative to a property of this value. */
    IgnoredPaths property(String name) {
        return below(segment -> segment.isProperty(name));
    }

    /** Returns the paths relative to an item of this value. */
    IgnoredPaths item(int index) {
        return below(segment -> segment.isItem(index));
    }

    private IgnoredPaths below(Predicate<Segment> step) {
        if (rest.isEmpty()) {
            return NONE;
        }
        List<List<Segment>> left = new ArrayList<>(2);
        for (List<Segment> path : rest) {
            if (step.test(path.get(0))) {
                left.add(path.subList(1, path.size()));
            }
        }
        return left.isEmpty() ? NONE : new IgnoredPaths(left);
    }
}
