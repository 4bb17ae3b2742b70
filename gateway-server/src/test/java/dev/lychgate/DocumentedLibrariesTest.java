package dev.lychgate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.filters.groovy.BuiltFilters;
import dev.lychgate.filters.groovy.FilterSource;
import dev.lychgate.filters.groovy.FilterSources;
import dev.lychgate.filters.groovy.GroovyFilter;
import dev.lychgate.filters.groovy.GroovyFilters;
import dev.lychgate.filters.testing.TestExchange;
import dev.lychgate.filters.testing.TestResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The filters of docs/filter-libraries.md. */
class DocumentedLibrariesTest {
    private static final Pattern SNIPPET = Pattern.compile("```(?:groovy|java)\\n// (\\S+)\\n(.*?)```", Pattern.DOTALL);

    @Test
    void theFiltersOfThePageRun() throws Exception {
        List<FilterSource> files = SNIPPET.matcher(Files.readString(Path.of("../docs/filter-libraries.md")))
                .results()
                .map(found -> new FilterSource(found.group(1), found.group(2)))
                .toList();
        try (BuiltFilters built = new GroovyFilters().build(FilterSources.of(files))) {
            assertThat(built.filters()).extracting(GroovyFilter::name).containsExactly("order", "Stamp");
            try (TestResult result =
                    TestExchange.get("/").through(built.filters().get(1).filter())) {
                assertThat(Objects.requireNonNull(result.getSent()).header("x-stamp"))
                        .isEqualTo("java");
            }
        }
    }
}
