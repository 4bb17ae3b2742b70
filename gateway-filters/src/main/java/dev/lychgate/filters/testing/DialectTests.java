package dev.lychgate.filters.testing;

import dev.lychgate.extension.FilterDialect;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Creates runs of tests in directories whose files may be written in a dialect. */
public final class DialectTests {
    private DialectTests() {}

    /**
     * Returns the tests of a directory.
     *
     * @param libraries another directory of jars, as {@code filters.libraries}; null for none
     * @param filters the names of the tested files, without the ending {@code .groovy}; empty for all tests
     * @param limit the time limit of each test; more than zero
     * @param dialect the dialect; null for none
     */
    public static RepeatedTests in(
            Path directory,
            @Nullable Path libraries,
            Set<String> filters,
            Duration limit,
            @Nullable FilterDialect dialect) {
        return new RepeatedTests(directory, libraries, filters, limit, dialect);
    }
}
