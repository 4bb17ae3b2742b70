package dev.lychgate.filters.groovy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Sources of filters in memory. */
final class Sources {
    private Sources() {}

    /** @param pathsAndTexts path, text, path, text and so on */
    static FilterSources of(String... pathsAndTexts) {
        List<FilterSource> files = new ArrayList<>();
        for (int i = 0; i < pathsAndTexts.length; i += 2) {
            files.add(new FilterSource(pathsAndTexts[i], pathsAndTexts[i + 1]));
        }
        return FilterSources.of(files);
    }

    static BuiltFilters build(String... pathsAndTexts) throws Exception {
        return new GroovyFilters().build(of(pathsAndTexts));
    }

    /**
     * Builds sources that must be refused.
     *
     * @return the faults
     */
    static List<FilterFault> refused(String... pathsAndTexts) throws Exception {
        try {
            build(pathsAndTexts);
        } catch (FilterFaultsException e) {
            return e.faults();
        }
        throw new AssertionError("was not refused");
    }

    /**
     * Builds sources that take longer than {@code limit}. The compiler's classes, which take seconds to load, are
     * loaded before.
     *
     * @return the faults
     */
    static List<FilterFault> refusedWithin(Duration limit, String... pathsAndTexts) throws Exception {
        build("inbound/early.groovy", "filter { }").close();
        try {
            new GroovyFilters(limit).build(of(pathsAndTexts));
        } catch (FilterFaultsException e) {
            return e.faults();
        }
        throw new AssertionError("was not refused");
    }

    /** Returns the built filters of that name, at most one of each phase. */
    static List<GroovyFilter> named(BuiltFilters built, String name) {
        return built.filters().stream()
                .filter(filter -> filter.name().equals(name))
                .toList();
    }
}
