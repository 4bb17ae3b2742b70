package dev.lychgate.filters.groovy;

import dev.lychgate.extension.FilterDialect;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A set of files that are compiled together and have their own libraries: the files of a bundle, or all files outside
 * of bundles.
 *
 * @param prefix the prefix of the paths of the files, such as {@code bundles/orders/}; empty outside of bundles
 * @param dialect the dialect in which files may be written; null without a dialect
 */
record FilterBundle(
        String prefix,
        List<FilterSource> files,
        List<FilterLibrary> libraries,
        @Nullable FilterDialect dialect) {
    FilterBundle(String prefix, List<FilterSource> files, List<FilterLibrary> libraries) {
        this(prefix, files, libraries, null);
    }

    /** Returns the bundles, in the order of their names. The first element contains all files outside of bundles. */
    static List<FilterBundle> of(FilterSources sources) {
        return of(sources, null);
    }

    /** Returns the bundles like {@link #of(FilterSources)}; their files may be written in a dialect. */
    static List<FilterBundle> of(FilterSources sources, @Nullable FilterDialect dialect) {
        Stream<String> prefixes = Stream.concat(
                sources.files().stream().map(file -> PlaceInTree.bundle(file.path())),
                sources.libraries().stream().map(FilterLibrary::bundle));
        return Stream.concat(Stream.of(""), prefixes)
                .distinct()
                .sorted()
                .map(prefix -> new FilterBundle(
                        prefix,
                        sources.files().stream()
                                .filter(file -> PlaceInTree.bundle(file.path()).equals(prefix))
                                .toList(),
                        sources.libraries().stream()
                                .filter(library -> library.bundle().equals(prefix))
                                .toList(),
                        dialect))
                .toList();
    }
}
