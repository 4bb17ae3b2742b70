package dev.lychgate.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Holds the list of steps and the page that explains them together. */
class RequestStepTest {
    private static final Path SOURCES = Path.of("src/main/java/dev/lychgate");
    private static final Pattern NAME = Pattern.compile("`(?:([a-z.0-9]+)\\.)?([A-Z]\\w+)`");
    private static final Pattern CASE = Pattern.compile("case ([A-Z_]+):");
    private static final Pattern ROW = Pattern.compile("(?m)^\\| `([A-Z_]+)` \\| ");

    @Test
    void pageListsTheStepsInTheirOrder() throws IOException {
        String page = Files.readString(Path.of("../docs/life-of-a-request.md"));
        Matcher rows = ROW.matcher(page.substring(0, page.indexOf("## The response")));
        List<String> steps = new ArrayList<>();
        while (rows.find()) {
            steps.add(rows.group(1));
        }
        assertThat(steps)
                .containsExactlyElementsOf(
                        Arrays.stream(RequestStep.values()).map(Enum::name).toList());
    }

    /** A class in the third column of a table: {@code pool.IdleStack}, or without its package after a class that has it. */
    @Test
    void pageNamesClassesThatExistInThePackagesThatItNames() throws IOException {
        String page = Files.readString(Path.of("../docs/life-of-a-request.md"));
        List<String> missing = new ArrayList<>();
        int seen = 0;
        for (String row : page.lines().filter(line -> line.startsWith("| ")).toList()) {
            String[] cells = row.split(" \\| ", -1);
            Matcher name = NAME.matcher(cells.length == 4 ? cells[2] : "");
            String inPackage = "";
            while (name.find()) {
                inPackage = name.group(1) == null ? inPackage : name.group(1).replace('.', '/');
                seen++;
                if (!exists(inPackage, name.group(2))) {
                    missing.add(cells[0] + ": " + name.group());
                }
            }
        }
        assertThat(missing).isEmpty();
        assertThat(seen).isGreaterThan(40);
    }

    /** Rooms of the exchange may stand without it: {@code attempt.Attempts}. */
    private static boolean exists(String inPackage, String type) {
        return Stream.of("", "exchange/")
                .anyMatch(parent -> Files.exists(SOURCES.resolve(parent + inPackage + "/" + type + ".java")));
    }

    @Test
    void stepsRunInTheOrderOfTheList() throws IOException {
        String source = Files.readString(SOURCES.resolve("exchange/RequestSteps.java"));
        int begin = source.indexOf("void from(RequestStep first");
        Matcher cases = CASE.matcher(source.substring(begin, source.indexOf("\n    }\n", begin)));
        assertThat(cases.results().map(found -> found.group(1)).toList())
                .containsExactlyElementsOf(
                        Arrays.stream(RequestStep.values()).map(Enum::name).toList());
    }
}
