package dev.lychgate.server.yaml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.lychgate.config.GatewayConfig;
import dev.lychgate.config.ListenerConfig;
import dev.lychgate.config.RouteConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A configuration in several files: which keys are joined, in which order, and the places of faults. */
class SeveralFilesTest {
    private static final String MAIN = """
            include: conf.d/*.yml
            listeners: [{ name: main, address: "127.0.0.1:0" }]
            """;

    private Path directory = Path.of("");

    private final ConfigReader reader = new ConfigReader(Map.of("PART", "conf.d")::get);

    @BeforeEach
    void makeDirectory(@TempDir Path empty) throws IOException {
        directory = empty;
        Files.createDirectory(directory.resolve("conf.d"));
    }

    private void write(String file, String text) throws IOException {
        Files.writeString(directory.resolve(file), text);
    }

    private GatewayConfig read() throws FaultyConfigException {
        return reader.read(directory.resolve("gateway.yml")).config();
    }

    private List<String> faults() {
        return catchThrowableOfType(FaultyConfigException.class, this::read).faults().stream()
                .map(fault -> fault.toString().replace(directory + "/", ""))
                .toList();
    }

    private List<String> included() {
        return reader.included().stream()
                .map(file -> directory.relativize(file).toString())
                .toList();
    }

    @Test
    void joinsListenersRoutesUpstreamsAndGroupsInTheOrderOfTheNames() throws Exception {
        write("gateway.yml", MAIN + "routes: [{ id: first, respond: {} }]\n");
        write("conf.d/b.yml", """
                groups: { shop: { order: 3 } }
                routes: [{ id: b, group: shop, upstream: u }]
                """);
        write("conf.d/a.yml", """
                listeners: [{ name: second, address: "127.0.0.1:0" }]
                routes: [{ id: a, upstream: u }]
                upstreams: { u: { endpoints: ["http://localhost:1"] } }
                """);

        GatewayConfig config = read();

        assertThat(config.listeners()).extracting(ListenerConfig::name).containsExactly("main", "second");
        assertThat(config.routes()).extracting(RouteConfig::id).containsExactly("first", "a", "b");
        assertThat(config.routes()).extracting(RouteConfig::order).containsExactly(0, 0, 3);
        assertThat(config.upstreams()).containsOnlyKeys("u");
        assertThat(included()).containsExactly("conf.d/a.yml", "conf.d/b.yml");
    }

    @Test
    void acceptsPathsAndPatternsWithPlaceholders() throws Exception {
        write("gateway.yml", """
                include: [one.yml, "${PART}/[ab].{yml,yaml}"]
                listeners: [{ name: main, address: "127.0.0.1:0" }]
                """);
        write("one.yml", "routes: [{ id: one, respond: {} }]");
        write("conf.d/a.yml", "routes: [{ id: a, respond: {} }]");
        write("conf.d/b.yaml", "routes: [{ id: b, respond: {} }]");
        write("conf.d/c.yml", "not: read");

        assertThat(read().routes()).extracting(RouteConfig::id).containsExactly("one", "a", "b");
    }

    @Test
    void ignoresHiddenFilesAcceptsEmptyOnesAndReadsEachOnce() throws Exception {
        write("gateway.yml", MAIN.replace("conf.d/*.yml", "[conf.d/a.yml, conf.d/*.yml]"));
        write("conf.d/a.yml", "routes: [{ id: a, respond: {} }]");
        write("conf.d/.a.yml", "garbage: [");
        write("conf.d/empty.yml", "# nothing yet\n\n");

        assertThat(read().routes()).extracting(RouteConfig::id).containsExactly("a");
    }

    @Test
    void dropsFilesThatAreNoLongerIncluded() throws Exception {
        write("gateway.yml", MAIN);
        write("conf.d/a.yml", "routes: [{ id: a, respond: {} }]");
        read();
        assertThat(included()).containsExactly("conf.d/a.yml");

        write("gateway.yml", MAIN.replace("include: conf.d/*.yml\n", ""));
        read();
        assertThat(included()).isEmpty();
    }

    @Test
    void acceptsAPatternThatMatchesNothing() throws Exception {
        write("gateway.yml", MAIN);

        assertThat(read().routes()).isEmpty();
    }

    @Test
    void reportsFaultsWithTheirFile() throws Exception {
        write("gateway.yml", MAIN + "workers: many\n");
        write("conf.d/a.yml", """
                routes:
                  - { id: a, upstream: v }
                  - { id: b, upstream: u, order: first }
                upstreams: { u: { endpoints: [nothing] } }
                """);

        assertThat(faults())
                .containsExactly(
                        "conf.d/a.yml:2:24: routes[0].upstream: v (expected: one of the upstreams u)",
                        "conf.d/a.yml:3:34: routes[1].order: first (expected: a whole number)",
                        "conf.d/a.yml:4:31: upstreams.u.endpoints[0]: nothing (expected: a URL that begins with http:// or https://)",
                        "gateway.yml:3:10: workers: many (expected: auto, or a whole number)");
    }

    @Test
    void namesTheOtherPlaceOfDuplicates() throws Exception {
        write("gateway.yml", MAIN + """
                workers: 1
                routes: [{ id: a, upstream: u }]
                upstreams: { u: { endpoints: ["http://localhost:1"] } }
                """);
        write("conf.d/a.yml", """
                workers: 2
                routes: [{ id: a, upstream: u }]
                upstreams: { u: { endpoints: ["http://localhost:2"] } }
                """);

        String main = directory.resolve("gateway.yml").toString().replace(directory + "/", "");
        assertThat(faults().stream().map(fault -> fault.replace(directory + "/", "")))
                .containsExactly(
                        "conf.d/a.yml:1:1: workers: duplicate key (expected: each key once; " + main
                                + ", line 3 already has this key)",
                        "conf.d/a.yml:2:16: routes[1].id: a (expected: an id that no other route has; " + main
                                + ", line 4 already has this value)",
                        "conf.d/a.yml:3:14: upstreams.u: duplicate key (expected: each name once; " + main
                                + ", line 5 already has this name)");
    }

    @Test
    void refusesInvalidIncludes() throws Exception {
        write("gateway.yml", """
                include: [no/*.yml, "conf.d/[a.yml"]
                listeners: [{ name: main, address: "127.0.0.1:0" }]
                """);
        assertThat(faults())
                .containsExactly(
                        "gateway.yml:1:11: include[0]: no/*.yml (expected: a path in a directory that exists and may be read)",
                        "gateway.yml:1:21: include[1]: conf.d/[a.yml (expected: a path, the last part of which may be a pattern such as *.yml)");

        write("gateway.yml", MAIN);
        write("conf.d/a.yml", "include: b.yml");
        assertThat(faults())
                .containsExactly(
                        "conf.d/a.yml:1:1: include: set in an included file (expected: the key in the first file)");
        write("conf.d/a.yml", "- a list");
        assertThat(faults()).containsExactly("conf.d/a.yml:1:1: not a mapping (expected: keys of a configuration)");
        write("conf.d/a.yml", "garbage: [");
        assertThat(faults()).singleElement().asString().startsWith("conf.d/a.yml:1:11: not YAML: ");
        assertThat(included()).containsExactly("conf.d/a.yml");

        write("gateway.yml", MAIN.replace("conf.d/*.yml", "later.yml"));
        assertThat(faults()).singleElement().asString().startsWith("later.yml: no such file");
        assertThat(included()).as("watched, so that it is read when it appears").containsExactly("later.yml");
    }

    @Test
    void resolvesPathsAgainstTheirFile() throws Exception {
        write("gateway.yml", MAIN);
        write("conf.d/a.yml", """
                listeners:
                  - { name: tls, address: "127.0.0.1:0", tls: { certificates: [{ chain: a.pem, key: ../a.key }] } }
                """);

        var certificate = Objects.requireNonNull(read().listeners().get(1).tls())
                .certificates()
                .get(0);
        assertThat(certificate.chain())
                .isEqualTo(directory.resolve("conf.d/a.pem").toString());
    }

    @Test
    void theDocumentedFilesAreOneConfiguration() throws Exception {
        String page = Files.readString(Path.of("../docs/configuration.md"));
        Matcher block = Pattern.compile("(?ms)^```yaml (\\S+)\\n(.*?)^```").matcher(page);
        while (block.find()) {
            write(block.group(1), block.group(2));
        }

        assertThat(read().routes()).extracting(RouteConfig::id).containsExactly("shop");
        assertThat(included()).containsExactly("conf.d/shop.yml");
    }

    @Test
    void boundsTheNumberOfFiles() throws Exception {
        write("gateway.yml", MAIN);
        for (int i = 0; i <= Includes.MOST_FILES; i++) {
            write("conf.d/" + i + ".yml", "routes: []");
        }

        assertThat(faults())
                .containsExactly(
                        "gateway.yml:1:10: include: too many or too large files (expected: at most 1000 files, together of at most 16 MiB)");
    }
}
