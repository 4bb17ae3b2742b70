package dev.lychgate.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The tests that pages under docs/ name exist, in any module. */
class MentionedTestsTest {
    private static final Path ROOT = Path.of("..");
    private static final Pattern MENTION = Pattern.compile("`([A-Z]\\w*Test)(?:\\.(\\w+))?`");
    private static final String FAULTS = "## Faults and their effects";

    @Test
    void everyTestThatAPageNamesExists() throws IOException {
        Map<String, String> sources = sources();
        List<String> missing = new ArrayList<>();
        int seen = 0;
        for (Path page : files(ROOT.resolve("docs"), ".md")) {
            for (MatchResult mention :
                    MENTION.matcher(Files.readString(page)).results().toList()) {
                seen++;
                String source = sources.get(mention.group(1));
                if (source == null || (mention.group(2) != null && !hasTest(source, mention.group(2)))) {
                    missing.add(ROOT.relativize(page) + ": " + mention.group());
                }
            }
        }
        assertThat(missing).isEmpty();
        assertThat(seen).isPositive();
    }

    @Test
    void everyRowOfTheTableOfFaultsNamesItsTests() throws IOException {
        String page = Files.readString(ROOT.resolve("docs/resilience.md"));
        assertThat(page).contains(FAULTS);
        List<String> rows = page.substring(page.indexOf(FAULTS) + FAULTS.length())
                .lines()
                .takeWhile(line -> !line.startsWith("## "))
                .filter(line -> line.startsWith("|"))
                .skip(2)
                .toList();

        assertThat(rows).hasSizeGreaterThan(10);
        for (String row : rows) {
            String[] cells = row.split("\\s*\\|\\s*", -1);
            assertThat(cells).as(row).hasSize(7);
            assertThat(MENTION.matcher(cells[5]).results().filter(m -> m.group(2) != null))
                    .as("the tests of: %s", row)
                    .isNotEmpty();
        }
    }

    /** The text between the previous method and this one has the annotation. */
    private static boolean hasTest(String source, String method) {
        int at = source.indexOf(" void " + method + "(");
        if (at < 0) {
            return false;
        }
        int before = Math.max(source.lastIndexOf("\n    }\n", at), source.lastIndexOf("\n\n", at));
        String annotations = source.substring(Math.max(0, before), at);
        return annotations.contains("@Test") || annotations.contains("@ParameterizedTest");
    }

    private static Map<String, String> sources() throws IOException {
        Map<String, String> sources = new HashMap<>();
        // Of several tests with one name, those of the gateway count.
        for (String module : List.of(
                "extensions/authorization",
                "extensions/identity",
                "extensions/oidc",
                "extensions/postgresql",
                "extensions/redis",
                "extensions/zuul",
                "gateway-core",
                "gateway-filters",
                "gateway-server")) {
            for (Path file : files(ROOT.resolve(module).resolve("src/test"), "Test.java")) {
                String name = file.getFileName().toString();
                sources.put(name.substring(0, name.length() - ".java".length()), Files.readString(file));
            }
        }
        return sources;
    }

    private static List<Path> files(Path under, String ending) throws IOException {
        try (Stream<Path> all = Files.walk(under)) {
            return all.filter(file -> file.toString().endsWith(ending)).sorted().toList();
        }
    }
}
