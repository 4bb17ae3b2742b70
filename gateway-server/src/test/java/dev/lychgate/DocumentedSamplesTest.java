package dev.lychgate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.server.cli.LychgateCommand;
import dev.lychgate.server.cli.Signals;
import dev.lychgate.server.cli.Surroundings;
import dev.lychgate.server.engine.DataPlaneEngine;
import dev.lychgate.testing.Certificates;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** Runs {@code lychgate check} with each configuration of the documentation and the files that it names. */
@Tag("slow")
class DocumentedSamplesTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Pattern YAML = Pattern.compile("(?ms)^```ya?ml\\n(.*?)^```");

    private static final Pattern RECOMMENDATIONS =
            Pattern.compile("// filters/inbound/Recommendations.groovy\\n(.*?)```", Pattern.DOTALL);
    private static final Pattern BURST =
            Pattern.compile("```groovy\n// inbound/Burst.groovy\n(.*?)```", Pattern.DOTALL);
    private static final Certificates CA = Certificates.authority("Test Authority");

    @TempDir
    Path directory = Path.of("");

    /** Files that samples refer to. */
    @BeforeEach
    void writeFiles() throws Exception {
        Path tls = Files.createDirectories(directory.resolve("tls"));
        Certificates.pem(tls, "example.com", CA.issue("example.com"));
        Certificates.store(tls, "wildcard", CA.issue("*.wild.test"), "changeit");
        CA.writeCa(tls, "internal-ca.pem");
        CA.writeCa(tls, "partners-ca.pem");
        CA.writeCa(directory, "operators.pem");
        Files.writeString(
                Files.createDirectories(directory.resolve("lists")).resolve("abusers.txt"), "198.51.100.0/24\n");
        Certificates.pem(directory, "admin", CA.issue("localhost"));
        Path inbound = Files.createDirectories(directory.resolve("my-filters/inbound"));
        Files.createDirectories(directory.resolve("ext"));
        Files.createDirectories(directory.resolve("filters"));
        // The filter with the settings of a sample.
        Matcher burst = BURST.matcher(Files.readString(ROOT.resolve("docs/filters.md")));
        assertThat(burst.find()).isTrue();
        Files.writeString(inbound.resolve("Burst.groovy"), burst.group(1));
        Matcher recommendations = RECOMMENDATIONS.matcher(Files.readString(ROOT.resolve("docs/overload.md")));
        assertThat(recommendations.find()).isTrue();
        Files.writeString(
                Files.createDirectories(directory.resolve("filters/inbound")).resolve("Recommendations.groovy"),
                recommendations.group(1));
        copySamples(
                "my-samples",
                "inbound/AbSplit",
                "outbound/AbSplitCookie",
                "inbound/GraphqlDepth",
                "inbound/JwtJwks",
                "lib/GraphqlDocument",
                "lib/JwtKeys");
        copySamples(
                "my-models",
                "inbound/LlmBudget",
                "outbound/LlmUsage",
                "outbound/PiiMasking",
                "lib/JsonPaths",
                "lib/LlmUsageReader",
                "lib/PiiEvents",
                "lib/PiiText",
                "lib/TokenBuckets");
        for (String owner : List.of("admin", "deploy", "grafana", "orders", "shop")) {
            Files.writeString(
                    directory.resolve(owner + ".token"), "a-token-of-32-characters-or-more-for-" + owner + "\n");
        }
    }

    private void copySamples(String to, String... samples) throws IOException {
        for (String sample : samples) {
            Path copy = directory.resolve(to + "/" + sample + ".groovy");
            Files.createDirectories(copy.getParent());
            Files.copy(ROOT.resolve("config/filters/" + sample + ".groovy"), copy);
        }
    }

    @TestFactory
    Stream<DynamicTest> everySamplePassesCheckWithoutAWarning() throws IOException {
        List<DynamicTest> tests = new ArrayList<>();
        for (Path page : pages()) {
            String text = Files.readString(page);
            YAML.matcher(text).results().forEach(sample -> {
                long line = text.substring(0, sample.start()).lines().count() + 1;
                tests.add(DynamicTest.dynamicTest(
                        ROOT.relativize(page) + ":" + line,
                        () -> assertThat(check(sample.group(1))).isEqualTo("ok\n")));
            });
        }
        for (Path file : List.of(ROOT.resolve("config/gateway.yml"), ROOT.resolve("config/examples/edge.yml"))) {
            tests.add(DynamicTest.dynamicTest(
                    ROOT.relativize(file).toString(),
                    () -> assertThat(check(Files.readString(file))).isEqualTo("ok\n")));
        }
        assertThat(tests).hasSizeGreaterThan(30);
        return tests.stream();
    }

    private static List<Path> pages() throws IOException {
        List<Path> pages = new ArrayList<>(List.of(ROOT.resolve("README.md")));
        try (Stream<Path> docs = Files.list(ROOT.resolve("docs"))) {
            docs.filter(page -> page.toString().endsWith(".md")).sorted().forEach(pages::add);
        }
        return pages;
    }

    /** @return the output of the command */
    private String check(String yaml) throws IOException {
        Path file = Files.writeString(directory.resolve("gateway.yml"), yaml);
        StringWriter printed = new StringWriter();
        PrintWriter out = new PrintWriter(printed);
        var surroundings = new Surroundings(new DataPlaneEngine(), name -> null, out, out, hook -> {}, Signals.NONE);
        LychgateCommand.execute(surroundings, "check", "--config", file.toString());
        return printed.toString()
                .replace(System.lineSeparator(), "\n")
                .replace(file.toString(), "gateway.yml")
                .replaceFirst("(?m)^filters: compiled .*\n", "");
    }
}
