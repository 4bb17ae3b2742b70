package dev.lychgate.dns;

import java.util.Collection;
import java.util.stream.Collectors;

/** Shortens what DNS returns for log lines and statuses: one response may hold thousands of addresses. */
final class Excerpt {
    private static final int SHOWN = 8;

    private Excerpt() {}

    /** Returns the elements as {@link Collection#toString()} does, or only the first few and the number of all. */
    static String of(Collection<?> all) {
        return all.size() <= SHOWN
                ? all.toString()
                : all.stream()
                        .limit(SHOWN)
                        .map(String::valueOf)
                        .collect(Collectors.joining(", ", "[", ", …] (" + all.size() + " in total)"));
    }
}
