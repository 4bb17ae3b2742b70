package dev.lychgate.filters.testing;

import dev.lychgate.filters.groovy.FilterSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * A directory of filters and their tests.
 *
 * @param filters all files {@code *.groovy} that are no tests
 * @param tests all files {@code *Test.groovy}
 */
record TestDirectory(List<FilterSource> filters, List<FilterSource> tests) {
    private static final String TEST = "Test.groovy";

    /** @throws IOException if it can't be read */
    static TestDirectory read(Path root) throws IOException {
        List<FilterSource> filters = new ArrayList<>();
        List<FilterSource> tests = new ArrayList<>();
        List<Path> files;
        try (Stream<Path> all = Files.walk(root)) {
            files = all.filter(file -> file.toString().endsWith(".groovy"))
                    .filter(Files::isRegularFile)
                    .sorted()
                    .toList();
        }
        for (Path file : files) {
            String path = root.relativize(file).toString().replace('\\', '/');
            FilterSource source = new FilterSource(path, Files.readString(file));
            (path.endsWith(TEST) ? tests : filters).add(source);
        }
        return new TestDirectory(List.copyOf(filters), List.copyOf(tests));
    }
}
