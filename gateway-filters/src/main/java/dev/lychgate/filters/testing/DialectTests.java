package dev.lychgate.filters.testing;

import dev.lychgate.extension.FilterDialect;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Creates runners of tests for directories whose files may be written in a dialect. */
public final class DialectTests {
    private DialectTests() {}

    /**
     * Returns a runner of the tests of a directory.
     *
     * @param libraries an additional directory of jars, like {@code filters.libraries}; null if there is none
     * @param filters the names of the filter files whose tests run, without {@code .groovy}; empty for all tests
     * @param limit the time limit of each test; more than zero
     * @param dialect the dialect in which files may be written; null without a dialect
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
