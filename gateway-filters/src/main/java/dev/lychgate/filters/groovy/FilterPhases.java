package dev.lychgate.filters.groovy;

import dev.lychgate.filter.FilterPhase;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Phases as they are written in messages. */
final class FilterPhases {
    private FilterPhases() {}

    static String name(FilterPhase phase) {
        return phase.name().toLowerCase(Locale.ROOT);
    }

    static String names(List<FilterPhase> phases) {
        return phases.stream().map(FilterPhases::name).collect(Collectors.joining(" and "));
    }
}
