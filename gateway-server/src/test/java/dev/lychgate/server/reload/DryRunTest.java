package dev.lychgate.server.reload;

import static dev.lychgate.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.server.admin.Generations.Outcome;
import dev.lychgate.server.cli.LychgateCommand;
import dev.lychgate.server.cli.Signals;
import dev.lychgate.server.cli.Surroundings;
import dev.lychgate.server.engine.DataPlaneEngine;
import dev.lychgate.server.terminal.JsonValue;
import dev.lychgate.testing.RefusingPort;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code lychgate reload --dry-run} and {@code lychgate diff} on a running gateway. */
@Tag("slow")
class DryRunTest {
    private static final String REQUIRED = "tests: require, timeout: 60s";

    @TempDir
    Path home = Path.of("");

    private record Printed(int code, String out, String err) {
        List<String> lines() {
            return out.lines().toList();
        }
    }

    private static Printed run(String... args) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int code = LychgateCommand.execute(
                new Surroundings(
                        new DataPlaneEngine(),
                        name -> null,
                        new PrintWriter(out),
                        new PrintWriter(err),
                        hook -> {},
                        Signals.NONE),
                args);
        return new Printed(code, out.toString(), err.toString());
    }

    private static Printed dryRun(GatedGateway gateway, String... more) {
        return run(Stream.concat(Stream.of("reload", "--dry-run", "--admin", gateway.admin()), Stream.of(more))
                .toArray(String[]::new));
    }

    private static Printed diff(GatedGateway gateway, String... more) {
        return run(Stream.concat(Stream.of("diff", "--admin", gateway.admin()), Stream.of(more))
                .toArray(String[]::new));
    }

    @Test
    void reportsFilesThatAReloadWouldTakeAndChangesNothing() throws Exception {
        try (GatedGateway gateway = new GatedGateway(home, REQUIRED)) {
            gateway.stamp(2);
            gateway.test("assert get('/').origin(200).through(filter).status == 200");

            Printed printed = dryRun(gateway);

            assertThat(printed.code()).isZero();
            assertThat(printed.lines())
                    .containsExactly(
                            "--- generation 1",
                            "+++ the files",
                            "file outbound/Stamp.groovy: changed",
                            "  -filter { it.response.headers['x-stamp'] = '1' }",
                            "  +filter { it.response.headers['x-stamp'] = '2' }",
                            "a reload would accept these files");
            assertThat(gateway.served()).isEqualTo("1");
            assertThat(gateway.reload()).isInstanceOf(Outcome.Taken.class);
            assertThat(gateway.served()).isEqualTo("2");
        }
    }

    @Test
    void reportsUnchangedFiles() throws Exception {
        try (GatedGateway gateway = new GatedGateway(home, REQUIRED)) {
            assertThat(dryRun(gateway).code()).isZero();
            assertThat(dryRun(gateway).lines())
                    .containsExactly("a reload would keep generation 1: the files are unchanged");
        }
    }

    /** One for each check of a reload: the configuration, the compiler, the tests, the self-checks, and the restart. */
    @Test
    void reportsFilesThatAReloadWouldRefuseWithItsFaults() throws Exception {
        try (GatedGateway gateway = new GatedGateway(home, REQUIRED)) {
            gateway.configure("tests: sometimes");
            assertRefused(gateway, "gate.tests");
            gateway.configure(REQUIRED, "workers: 7");
            assertRefused(gateway, "workers");
            gateway.configure(REQUIRED);
            gateway.write(GatedGateway.STAMP, "filter { nonsense");
            assertRefused(gateway, "outbound/Stamp.groovy:1");
            gateway.write(GatedGateway.STAMP, "selfCheck { throw new IllegalStateException('not today') }\nfilter { }");
            assertRefused(gateway, "not today");
            gateway.stamp(3);
            gateway.test("assert 1 == 2");
            assertRefused(gateway, "outbound/StampTest.groovy:2: test 'the stamp' failed: assert 1 == 2");

            assertThat(gateway.served()).isEqualTo("1");
        }
    }

    private static void assertRefused(GatedGateway gateway, String fault) throws Exception {
        Printed printed = dryRun(gateway);
        assertThat(printed.code()).isEqualTo(1);
        assertThat(printed.err()).contains(fault);
        assertThat(printed.out()).isEmpty();
        double refused = gateway.files().reloader().refused();
        assertThat(gateway.refused()).isEqualTo(printed.err().lines().toList());
        assertThat(gateway.files().reloader().refused())
                .as("dry runs are not counted")
                .isEqualTo((long) refused + 1);
    }

    @Test
    void testsThatOnlyWarnAreWarnings() throws Exception {
        try (GatedGateway gateway = new GatedGateway(home, "tests: warn, timeout: 60s")) {
            gateway.stamp(3);
            gateway.test("assert 1 == 2");

            Printed printed = dryRun(gateway);

            assertThat(printed.code()).isZero();
            assertThat(printed.lines())
                    .first()
                    .asString()
                    .startsWith("warning: outbound/StampTest.groovy:2: test 'the stamp' failed");
            JsonValue json = JsonValue.of(dryRun(gateway, "--json").out());
            assertThat(json.get("dry_run").list("warnings")).hasSize(1);
            assertThat(json.get("dry_run").get("difference").is("differs")).isTrue();
        }
    }

    @Test
    void withoutAResponseThereIsNoVerdict() throws Exception {
        try (RefusingPort nobody = new RefusingPort()) {
            String at = "127.0.0.1:" + nobody.address().getPort();
            assertThat(run("reload", "--dry-run", "--admin", at).code()).isEqualTo(2);
            assertThat(run("diff", "--admin", at).code()).isEqualTo(2);
            assertThat(run("reload", "--admin", at).code()).isEqualTo(1);
        }
    }

    /** Neither objects nor threads nor classes nor files of a dry run stay. */
    @Test
    void leavesNothingBehind() throws Exception {
        try (GatedGateway gateway = new GatedGateway(home, REQUIRED)) {
            gateway.write(GatedGateway.STAMP, """
                    import java.util.concurrent.Executors
                    def count = shared('count') { new java.util.concurrent.atomic.AtomicInteger() }
                    %s(this.class)
                    def pool = closeLater(Executors.newSingleThreadExecutor())
                    pool.submit({ } as Runnable)
                    filter { it.response.headers['x-stamp'] = '' + count.incrementAndGet() }
                    """.formatted(GatedGateway.COUNTED));
            gateway.test("assert get('/').origin(200).through(filter).header('x-stamp') == '1'");
            Map<String, String> files = files();
            dryRuns(gateway, 10);
            int threads = ManagementFactory.getThreadMXBean().getThreadCount();

            dryRuns(gateway, 100);

            assertThat(gateway.classes(4)).isLessThanOrEqualTo(4);
            eventually(() -> assertThat(ManagementFactory.getThreadMXBean().getThreadCount())
                    .isLessThanOrEqualTo(threads + 2));
            assertThat(files()).isEqualTo(files);
            assertThat(gateway.json("GET", "/filters").list("state")).isEmpty();
            assertThat(gateway.served()).isEqualTo("1");
            gateway.reload();
            assertThat(gateway.served()).as("no state of a dry run").isEqualTo("1");
        }
    }

    private static void dryRuns(GatedGateway gateway, int count) throws Exception {
        for (int i = 0; i < count; i++) {
            assertThat(gateway.ask("POST", "/reload?dry-run=true").status()).isEqualTo(200);
        }
    }

    private Map<String, String> files() throws Exception {
        try (Stream<Path> all = Files.walk(home)) {
            return all.filter(Files::isRegularFile)
                    .collect(Collectors.toMap(Path::toString, DryRunTest::state, (one, other) -> one, TreeMap::new));
        }
    }

    private static String state(Path file) {
        try {
            FileTime time = Files.getLastModifiedTime(file);
            return time + " " + Files.size(file);
        } catch (java.io.IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @Test
    void printsNoDifferenceOfUnchangedFiles() throws Exception {
        try (GatedGateway gateway = new GatedGateway(home, REQUIRED)) {
            Printed printed = diff(gateway);
            assertThat(printed.code()).isZero();
            assertThat(printed.out()).isEmpty();
        }
    }

    @Test
    void printsEveryKindOfDifference() throws Exception {
        try (GatedGateway gateway = new GatedGateway(home, REQUIRED)) {
            gateway.write("inbound/Added.groovy", "filter { }");
            Files.delete(home.resolve("filters").resolve(GatedGateway.STAMP));
            Files.writeString(gateway.config(), """
                    listeners: [{ name: main, address: "127.0.0.1:0" }, { name: second, address: "127.0.0.1:0" }]
                    watch: off
                    gate: { tests: require, timeout: 60s }
                    filters: { directory: filters, properties: { limit: 5 } }
                    routes:
                      - { id: first, match: { path: "/first" }, upstream: other }
                      - { id: all, match: { path: "/all" }, upstream: other }
                    upstreams: { other: { endpoints: ["http://127.0.0.1:9"] } }
                    admin: { address: "127.0.0.1:0", token: "0123456789abcdef-secret" }
                    """);

            Printed printed = diff(gateway);

            assertThat(printed.code()).isEqualTo(1);
            assertThat(printed.lines())
                    .contains(
                            "route all: changed",
                            "route first: added",
                            "upstream origin: removed",
                            "upstream other: added",
                            "listener second: added",
                            "property limit: added",
                            "section admin: changed",
                            "  -routes[all].match.path: /**",
                            "  +routes[all].match.path: /all",
                            "  +admin.token: ***",
                            "file inbound/Added.groovy: added",
                            "  +filter { }",
                            "file outbound/Stamp.groovy: removed");
            assertThat(printed.out()).doesNotContain("secret");
            JsonValue json = JsonValue.of(diff(gateway, "--json").out());
            assertThat(json.is("differs")).isTrue();
            assertThat(json.has("to")).isFalse();
            assertThat(json.list("parts").stream().map(part -> part.text("kind")))
                    .contains("route", "upstream", "listener", "property", "section");
        }
    }

    @Test
    void printsAnotherOrderOfRoutes() throws Exception {
        String routes = "routes: [{ id: a, match: { path: \"/a\" }, upstream: o }, { id: b, match: { path: \"/b\" },"
                + " upstream: o }]\n";
        String swapped = "routes: [{ id: b, match: { path: \"/b\" }, upstream: o }, { id: a, match: { path: \"/a\" },"
                + " upstream: o }]\n";
        try (GatedGateway gateway = new GatedGateway(home, REQUIRED)) {
            String others = Files.readString(gateway.config()).replaceAll("(?m)^(routes|upstreams):.*\\n", "")
                    + "upstreams: { o: { endpoints: [\"http://127.0.0.1:9\"] } }\n";
            Files.writeString(gateway.config(), others + routes);
            gateway.reload();
            Files.writeString(gateway.config(), others + swapped);

            assertThat(diff(gateway).lines())
                    .containsExactly("--- generation 2", "+++ the files", "order routes: changed");
        }
    }

    @Test
    void comparesGenerationsByTheirNumbers() throws Exception {
        try (GatedGateway gateway = new GatedGateway(home, REQUIRED)) {
            gateway.stamp(2);
            gateway.reload();
            gateway.stamp(3);

            assertThat(diff(gateway, "1", "2").lines())
                    .containsExactly(
                            "--- generation 1",
                            "+++ generation 2",
                            "file outbound/Stamp.groovy: changed",
                            "  -filter { it.response.headers['x-stamp'] = '1' }",
                            "  +filter { it.response.headers['x-stamp'] = '2' }");
            assertThat(diff(gateway, "1").lines())
                    .contains(
                            "--- generation 1", "+++ the files", "  +filter { it.response.headers['x-stamp'] = '3' }");
            assertThat(diff(gateway, "9").code()).isEqualTo(2);
            assertThat(diff(gateway, "1", "9").code()).isEqualTo(2);
        }
    }

    @Test
    void filesThatCannotBeReadHaveNoDifference() throws Exception {
        try (GatedGateway gateway = new GatedGateway(home, REQUIRED)) {
            gateway.configure("tests: sometimes");
            Printed printed = diff(gateway);
            assertThat(printed.code()).isEqualTo(2);
            assertThat(printed.err()).contains("gate.tests");
        }
    }

    /** The code of filters does not run for a difference. */
    @Test
    void runsNoFilterForADifference() throws Exception {
        try (GatedGateway gateway = new GatedGateway(home, REQUIRED)) {
            gateway.write(GatedGateway.STAMP, "System.setProperty('diff.ran', 'x')\nfilter { }");
            assertThat(diff(gateway).code()).isEqualTo(1);
            assertThat(System.getProperty("diff.ran")).isNull();
        }
    }
}
