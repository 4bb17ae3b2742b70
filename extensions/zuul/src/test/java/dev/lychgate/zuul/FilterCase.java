package dev.lychgate.zuul;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * A directory with the filters of one case, in the directories of their types.
 *
 * @param name the name of the directory, which the request field {@code x-case} contains
 */
record FilterCase(String name) {
    static final Path ROOT = Path.of("src/test/cases");

    /** Selects no filter. */
    static final FilterCase NONE = new FilterCase("none");

    static List<FilterCase> all() throws IOException {
        try (Stream<Path> directories = Files.list(ROOT)) {
            return directories
                    .filter(Files::isDirectory)
                    .map(directory -> new FilterCase(directory.getFileName().toString()))
                    .sorted((one, other) -> one.name.compareTo(other.name))
                    .toList();
        }
    }

    Path directory() {
        return ROOT.resolve(name);
    }

    @Override
    public String toString() {
        return name;
    }
}
