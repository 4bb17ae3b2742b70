package dev.lychgate.filters.groovy;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The byte code of the files of a bundle, by path, after a compilation without errors. A later compilation reuses the
 * byte code of each file that has not changed and does not use a changed file. Immutable.
 *
 * @param libraries the digests of the jars
 */
record CompiledBundle(String libraries, Map<String, CompiledFile> files) {
    /**
     * Returns the result of a compilation of all files. Returns null if the names of the classes do not show which file
     * declares each class.
     */
    static @Nullable CompiledBundle of(FilterBundle bundle, CompiledSources compiled) {
        Map<String, CompiledFile> files = new HashMap<>();
        for (FilterSource file : bundle.files()) {
            if (file.isJava()) {
                return null;
            }
        }
        Map<String, Map<String, byte[]>> classes = new HashMap<>();
        for (Map.Entry<String, byte[]> one : compiled.byteCode().entrySet()) {
            String name = one.getKey();
            String file = compiled.fileOf().get(name.indexOf('$') < 0 ? name : name.substring(0, name.indexOf('$')));
            if (file == null) {
                return null;
            }
            classes.computeIfAbsent(file, key -> new HashMap<>()).put(name, one.getValue());
        }
        for (FilterSource file : bundle.files()) {
            files.put(
                    file.path(),
                    new CompiledFile(
                            file.digest(),
                            classes.getOrDefault(file.path(), Map.of()),
                            compiled.filters().stream()
                                    .filter(filter -> filter.file().equals(file.path()))
                                    .toList()));
        }
        return new CompiledBundle(libraries(bundle), files);
    }

    /** Returns whether this bundle and {@code other} have the same jars and the same texts of files. */
    boolean isSameAs(CompiledBundle other) {
        return libraries.equals(other.libraries)
                && files.keySet().equals(other.files.keySet())
                && files.entrySet().stream()
                        .allMatch(one -> one.getValue()
                                .digest()
                                .equals(Objects.requireNonNull(other.files.get(one.getKey()))
                                        .digest()));
    }

    static String libraries(FilterBundle bundle) {
        StringBuilder all = new StringBuilder();
        bundle.libraries()
                .forEach(library -> all.append(library.path())
                        .append(' ')
                        .append(library.jar().digest())
                        .append('\n'));
        return all.toString();
    }

    /**
     * Returns the byte code of {@code bundle}, whose files may have changed. Compiles the changed files and the files
     * that use them. For complete checks, it also compiles all files that these files use. Reuses the byte code of all
     * other files.
     *
     * @return null if all files have to be compiled
     * @throws FilterFaultsException if files have errors; lists the errors that a compilation of all files would find
     */
    @Nullable
    CompiledSources update(FilterBundle bundle, Compiler compiler) throws FilterFaultsException {
        if (!libraries.equals(libraries(bundle)) || bundle.files().stream().anyMatch(FilterSource::isJava)) {
            return null;
        }
        Set<String> present = new HashSet<>();
        Set<String> changed = new HashSet<>(files.keySet());
        Map<String, Set<String>> classes = new HashMap<>();
        files.forEach((path, file) -> classes.put(path, new HashSet<>(file.names())));
        for (FilterSource file : bundle.files()) {
            present.add(file.path());
            CompiledFile before = files.get(file.path());
            if (before == null || !before.digest().equals(file.digest())) {
                changed.add(file.path());
            } else {
                changed.remove(file.path());
            }
        }
        if (changed.isEmpty()) {
            return code(bundle);
        }
        CompiledBundle compiled = new CompiledBundle(libraries, Map.of());
        while (true) {
            FileReferences references = new FileReferences(bundle.files(), classes);
            Set<String> stale = references.dependents(changed);
            stale.retainAll(present);
            if (compiled.files.keySet().containsAll(stale)) {
                return merged(bundle, stale, compiled);
            }
            Set<String> together = references.dependencies(stale);
            if (together.size() > bundle.files().size() / 2) {
                return null;
            }
            FilterBundle part = new FilterBundle(
                    bundle.prefix(),
                    bundle.files().stream()
                            .filter(file -> together.contains(file.path()))
                            .toList(),
                    bundle.libraries());
            // The other files have no errors, because an earlier compilation accepted the same texts.
            CompiledBundle result = of(part, compiler.compile(part, simpleNames(classes)));
            if (result == null) {
                return null;
            }
            compiled = result;
            boolean found = false;
            for (Map.Entry<String, CompiledFile> one : compiled.files.entrySet()) {
                found |= classes.computeIfAbsent(one.getKey(), key -> new HashSet<>())
                        .addAll(one.getValue().names());
            }
            if (!found) {
                return merged(bundle, stale, compiled);
            }
            // An unchanged file may use one of the new classes, so the references are determined again.
        }
    }

    /**
     * Returns the byte code of {@code bundle}, whose files must be the files of this object. The result is in the order
     * of the bundle.
     */
    CompiledSources code(FilterBundle bundle) {
        return merged(bundle, Set.of(), this);
    }

    private CompiledSources merged(FilterBundle bundle, Set<String> stale, CompiledBundle compiled) {
        Map<String, byte[]> byteCode = new HashMap<>();
        Map<String, String> fileOf = new HashMap<>();
        List<FilterDeclarations.Declared> filters = new ArrayList<>();
        for (FilterSource source : bundle.files()) {
            CompiledFile file =
                    Objects.requireNonNull((stale.contains(source.path()) ? compiled.files : files).get(source.path()));
            byteCode.putAll(file.classes());
            file.names().forEach(name -> fileOf.put(name, source.path()));
            filters.addAll(file.filters());
        }
        return new CompiledSources(byteCode, fileOf, filters);
    }

    private static Set<String> simpleNames(Map<String, Set<String>> classes) {
        return classes.values().stream()
                .flatMap(Set::stream)
                .map(name -> name.substring(name.lastIndexOf('.') + 1))
                .collect(Collectors.toSet());
    }

    /** Compiles several files together. */
    interface Compiler {
        /**
         * Compiles the files of a bundle or of a part of it.
         *
         * @param alsoKnown the simple names of classes in other files, for suggestions in error messages
         */
        CompiledSources compile(FilterBundle files, Set<String> alsoKnown) throws FilterFaultsException;
    }
}
