package dev.lychgate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.filter.BlockingFilter;
import dev.lychgate.filter.Filter;
import dev.lychgate.filters.groovy.BuiltFilters;
import dev.lychgate.filters.groovy.FilterSource;
import dev.lychgate.filters.groovy.FilterSources;
import dev.lychgate.filters.groovy.GroovyFilter;
import dev.lychgate.filters.groovy.GroovyFilters;
import dev.lychgate.filters.testing.TestExchange;
import dev.lychgate.filters.testing.TestResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The filters that docs/filters.md shows: they compile, all together, and do what the page says. */
class DocumentedGroovyTest {
    private static final Path PAGE = Path.of("../docs/filters.md");
    private static final Pattern SNIPPET = Pattern.compile("```groovy\\n// (\\S+)\\n(.*?)```", Pattern.DOTALL);

    /** Where specifications lie, which the build runs. */
    private static final String SPECIFICATIONS = "gateway-filters/src/test/groovy/";

    @Test
    void theSpecificationsOfThePageAreThoseThatTheBuildRuns() throws Exception {
        List<String> seen = new ArrayList<>();
        Matcher snippets = SNIPPET.matcher(Files.readString(PAGE));
        while (snippets.find()) {
            if (snippets.group(1).startsWith(SPECIFICATIONS)) {
                seen.add(snippets.group(1));
                assertThat(snippets.group(2)).isEqualTo(Files.readString(Path.of("..", snippets.group(1))));
            }
        }
        assertThat(seen).hasSize(1);
    }

    @Test
    void theFiltersOfThePageDoWhatItSays() throws Exception {
        List<FilterSource> files = new ArrayList<>();
        Matcher snippets = SNIPPET.matcher(Files.readString(PAGE));
        while (snippets.find()) {
            if (!snippets.group(1).startsWith(SPECIFICATIONS)) {
                files.add(new FilterSource(snippets.group(1), snippets.group(2)));
            }
        }
        assertThat(files).hasSizeGreaterThanOrEqualTo(4);
        try (BuiltFilters built = new GroovyFilters().build(FilterSources.of(files))) {
            // The kit's clock stands still; one that blocks would need it to move.
            List<Filter> filters = built.filters().stream()
                    .map(GroovyFilter::filter)
                    .filter(filter -> !(filter instanceof BlockingFilter))
                    .toList();
            try (TestResult closed = TestExchange.get("/shop/x").through(filters)) {
                assertThat(closed.getStatus()).isEqualTo(503);
                assertThat(closed.header("retry-after")).isEqualTo("120");
            }
            try (TestResult passed = TestExchange.get("/other").origin(200).through(filters)) {
                assertThat(passed.getStatus()).isEqualTo(200);
                assertThat(passed.header("x-served-by")).isEqualTo("lychgate");
            }
            try (TestResult refused =
                    TestExchange.get("/other").header("x-items", "1000").through(filters)) {
                assertThat(refused.getStatus()).isEqualTo(422);
            }
        }
    }
}
