package dev.lychgate.filters.groovy;

import dev.lychgate.filters.libraries.LibraryJar;
import java.util.Comparator;

/**
 * A jar with libraries of filters.
 *
 * @param path the path below the filter directory, such as {@code lib/jackson.jar}; for a jar in the directory
 *     {@code filters.libraries}, the path below the parent of this directory
 * @param bundle the prefix of the paths in the bundle to which the jar belongs; empty outside of bundles
 * @param isBeside whether the jar is in the directory {@code filters.libraries}
 */
public record FilterLibrary(String path, String bundle, boolean isBeside, LibraryJar jar) {
    /** The order in which jars are searched for a class. */
    static final Comparator<FilterLibrary> BY_NAME = Comparator.comparing(FilterLibrary::bundle)
            .thenComparing(FilterLibrary::name)
            .thenComparing(FilterLibrary::path);

    public String name() {
        return path.substring(path.lastIndexOf('/') + 1);
    }
}
