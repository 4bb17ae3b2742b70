package dev.lychgate.filters.groovy;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The result of the compilation of one file.
 *
 * @param digest the digest of the source text
 * @param classes the byte code by class name
 */
record CompiledFile(String digest, Map<String, byte[]> classes, List<FilterDeclarations.Declared> filters) {
    CompiledFile {
        classes = Map.copyOf(classes);
        filters = List.copyOf(filters);
    }

    /** Returns the names of the top-level classes. */
    Set<String> names() {
        return classes.keySet().stream().filter(name -> name.indexOf('$') < 0).collect(Collectors.toSet());
    }
}
