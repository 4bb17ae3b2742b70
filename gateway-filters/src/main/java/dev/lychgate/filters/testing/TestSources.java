package dev.lychgate.filters.testing;

import dev.lychgate.filters.groovy.FilterSource;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitOption;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The tests in a directory of filters: all files {@code *Test.groovy}, but those that are hidden; through links, as filters are found. */
final class TestSources {
    /** What the name of a file of tests ends with. */
    static final String ENDING = "Test.groovy";

    private TestSources() {}

    /** Reads them, in the order of their paths. @throws IOException if one can't be read */
    static List<FilterSource> read(Path root) throws IOException {
        List<Path> files;
        try (Stream<Path> all = Files.walk(root, FileVisitOption.FOLLOW_LINKS)) {
            files = all.filter(file -> file.toString().endsWith(ENDING))
                    .filter(file -> isVisible(root.relativize(file)))
                    .filter(Files::isRegularFile)
                    .sorted()
                    .toList();
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
        List<FilterSource> tests = new ArrayList<>();
        for (Path file : files) {
            String path = root.relativize(file).toString().replace('\\', '/');
            tests.add(new FilterSource(path, Files.readString(file)));
        }
        return tests;
    }

    private static boolean isVisible(Path file) {
        for (Path part : file) {
            if (part.toString().startsWith(".")) {
                return false;
            }
        }
        return true;
    }
}
