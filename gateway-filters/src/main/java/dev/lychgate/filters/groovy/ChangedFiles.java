package dev.lychgate.filters.groovy;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Finds the files that a change of a filter directory affects. Used by one thread at a time. */
public final class ChangedFiles {
    /** The contents of the files and jars at the last call of {@link #next}, by path. */
    private Map<String, String> before = Map.of();

    /**
     * Returns the paths of the files that have changed since the last call. The result includes the files that may use
     * classes or filters of changed files, directly or through other files. The first call, and a call after a change
     * of a jar, return all files.
     *
     * @param built the filters of {@code sources}
     * @param tests the files of tests, which use filters by their names
     */
    public Set<String> next(FilterSources sources, BuiltFilters built, Collection<FilterSource> tests) {
        List<FilterSource> all = new ArrayList<>(sources.files());
        all.addAll(tests);
        Map<String, String> now = new HashMap<>();
        all.forEach(file -> now.put(file.path(), file.digest()));
        sources.libraries().forEach(jar -> now.put(jar.path(), jar.jar().digest()));
        Set<String> changed = new HashSet<>();
        now.forEach((path, digest) -> {
            if (!digest.equals(before.get(path))) {
                changed.add(path);
            }
        });
        before.keySet().stream().filter(path -> !now.containsKey(path)).forEach(changed::add);
        boolean everything = before.isEmpty() || changed.stream().anyMatch(path -> path.endsWith(".jar"));
        before = now;
        return everything ? now.keySet() : new FileReferences(all, names(all, built)).dependents(changed);
    }

    private static Map<String, Set<String>> names(List<FilterSource> all, BuiltFilters built) {
        Map<String, Set<String>> names = new HashMap<>();
        all.forEach(file ->
                names.computeIfAbsent(file.path(), path -> new HashSet<>()).add(file.baseName()));
        built.filters()
                .forEach(filter -> names.computeIfAbsent(filter.file(), path -> new HashSet<>())
                        .add(filter.name()));
        built.loaders()
                .forEach(loader -> loader.code()
                        .fileOf()
                        .forEach((type, file) -> names.computeIfAbsent(file, path -> new HashSet<>())
                                .add(type)));
        return names;
    }
}
