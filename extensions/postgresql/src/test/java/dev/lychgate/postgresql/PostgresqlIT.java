package dev.lychgate.postgresql;

import static dev.lychgate.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.lychgate.testing.Launcher;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.ReaderShell;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.jar.JarFile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The packed extension in gateways and commands that {@code bin/lychgate} has started; runs after packaging. */
class PostgresqlIT {
    private static final Path EXTENSION = Launcher.ROOT.resolve("extensions/postgresql/target/postgresql.jar");
    private static final Path GUIDE = Launcher.ROOT.resolve("docs/guides/fleet-postgresql.md");
    private static final Duration LONGEST = Duration.ofSeconds(60);

    @TempDir
    Path home = Path.of("");

    private Launcher launcher() {
        return new Launcher(home, "192m");
    }

    @Test
    void theGuidePrintsWhatItShows() throws Exception {
        assumeTrue(PostgresqlServer.isInstalled(), PostgresqlServer.MISSING);
        try (PostgresqlServer server = PostgresqlServer.start()) {
            server.sql("postgres", "DROP DATABASE lychgate");
            server.authenticate("host all all 127.0.0.1/32 scram-sha-256");
            String lychgate = "#!/bin/sh\nexport JAVA_HOME='%s' LYCHGATE_HEAP=128m\nexec '%s' \"$@\"\n"
                    .formatted(System.getProperty("java.home"), Launcher.ROOT.resolve("bin/lychgate"));
            Map<String, String> programs = Map.of(
                    "lychgate",
                    lychgate,
                    "psql",
                    "#!/bin/sh\nexec '" + PostgresqlServer.program("psql") + "' \"$@\"\n");
            try (ReaderShell shell =
                    ReaderShell.open(home, programs, Map.of("5432", Integer.toString(server.port())))) {
                // The usual timeout is too short for a machine that pauses.
                String guide = Files.readString(GUIDE);
                assertThat(guide).contains("tls: false }");
                shell.follow(guide.replace("tls: false }", "tls: false, timeout: 30s }"));
            }
        }
    }

    private String fleet(String... words) throws Exception {
        String[] all = new String[words.length + 7];
        System.arraycopy(words, 0, all, 1, words.length);
        all[0] = "fleet";
        List<String> rest = List.of("--config", "operator.yml", "--key", "release.key", "--author", "alice");
        for (int i = 0; i < rest.size(); i++) {
            all[words.length + 1 + i] = rest.get(i);
        }
        Launcher.Ended ended = launcher().run(all);
        assertThat(ended.code()).as(ended.output()).isZero();
        return ended.output();
    }

    private String push(String text) throws Exception {
        Path release = Files.createDirectories(home.resolve("release-" + text));
        Files.writeString(release.resolve("gateway.yml"), """
            listeners: [{ name: main, address: "127.0.0.1:0" }]
            routes: [{ id: all, respond: { status: 200, body: "%s" } }]
            access-log: { format: off }
            """.formatted(text));
        String printed = fleet("push", release.toString());
        return printed.lines()
                .filter(line -> line.startsWith("release "))
                .map(line -> line.substring("release ".length()))
                .findFirst()
                .orElseThrow();
    }

    private static RawClient client(int port) throws Exception {
        return RawClient.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    }

    private static String body(int port) throws Exception {
        try (RawClient client = client(port)) {
            return client.get("/").body();
        }
    }

    @Test
    void noRequestFailsWhileTheServerIsKilled() throws Exception {
        assumeTrue(PostgresqlServer.isInstalled(), PostgresqlServer.MISSING);
        try (PostgresqlServer server = PostgresqlServer.start()) {
            String section = """
                fleet:
                  space: prod
                  store: { postgresql: { endpoints: "%s", user: postgres, tls: false, timeout: %s } }
                  trust: release.key.pub
                  state: %s
                """;
            Files.writeString(
                    home.resolve("operator.yml"), section.formatted(server.endpoint(), "30s", "operator-state"));
            Files.writeString(
                    home.resolve("node.yml"),
                    section.formatted(server.endpoint(), "500ms", "state") + "  node: node1\n");
            fleet("init");
            String one = push("one");
            String two = push("two");
            fleet("activate", one);
            Path log = home.resolve("log");
            Process node = launcher()
                    .command("run", "--config", "node.yml")
                    .redirectOutput(log.toFile())
                    .start();
            AtomicBoolean ended = new AtomicBoolean();
            AtomicInteger responses = new AtomicInteger();
            List<String> failures = new CopyOnWriteArrayList<>();
            try {
                Launcher.awaitReady(log);
                int port = Launcher.port(log, "listening on");
                assertThat(body(port)).isEqualTo("one");
                Thread traffic = new Thread(() -> send(port, ended, responses, failures));
                traffic.start();
                server.kill();
                eventually(
                        LONGEST,
                        () -> assertThat(Files.readString(log)).contains("the store does not respond: postgresql: "));
                server.restart();
                fleet("activate", two);
                eventually(LONGEST, () -> assertThat(body(port)).isEqualTo("two"));
                ended.set(true);
                traffic.join();
                assertThat(failures).isEmpty();
                assertThat(responses.get()).isGreaterThan(100);
                String recovered = "fleet: the store responds again";
                eventually(LONGEST, () -> assertThat(Files.readString(log)).contains(recovered));
            } finally {
                ended.set(true);
                node.destroy();
                assertThat(node.waitFor(30, TimeUnit.SECONDS)).isTrue();
            }
        }
    }

    private static void send(int port, AtomicBoolean ended, AtomicInteger responses, List<String> failures) {
        try (RawClient client = client(port)) {
            while (!ended.get()) {
                int status = client.get("/").status();
                if (status == 200) {
                    responses.incrementAndGet();
                } else {
                    failures.add("status " + status);
                }
                TimeUnit.MILLISECONDS.sleep(5);
            }
        } catch (Exception | AssertionError e) {
            failures.add(e.toString());
        }
    }

    @Test
    void refusesValuesWithTheirPlaceAndListsTheStore() throws Exception {
        Files.writeString(home.resolve("node.yml"), """
            fleet:
              space: prod
              store: { postgresql: { endpoints: "db.example", user: node, shema: fleet } }
              trust: release.key.pub
              state: state
            """);
        assertThat(launcher().run("fleet", "status", "--config", "node.yml").output())
                .contains("node.yml:3:37: fleet.store.postgresql.endpoints: ")
                .contains("fleet.store.postgresql.shema: unknown key, did you mean 'schema'?");
        assertThat(launcher().run("extensions").output()).contains("): postgresql  " + EXTENSION);
    }

    @Test
    void theDocumentedSectionIsAccepted() throws Exception {
        Matcher block = Pattern.compile("```yaml postgresql\n(.*?)```", Pattern.DOTALL)
                .matcher(Files.readString(Launcher.ROOT.resolve("docs/postgresql.md")));
        assertThat(block.find()).isTrue();
        Path file = Files.writeString(home.resolve("node.yml"), block.group(1));
        // The section has no faults; its files do not exist.
        assertThat(launcher()
                        .run("fleet", "doctor", "--config", file.toString())
                        .output())
                .doesNotContain("node.yml:")
                .contains("fleet.store.postgresql.password-file: " + home.resolve("nodes.password"));
        Files.writeString(home.resolve("nodes.password"), "x\n");
        assertThat(launcher()
                        .run("fleet", "doctor", "--config", file.toString())
                        .output())
                .contains("fleet.store.postgresql.ca: ");
    }

    @Test
    void itsLibrariesAreInItsOwnJarOnly() throws Exception {
        try (JarFile extension = new JarFile(EXTENSION.toFile());
                JarFile gateway = new JarFile(Launcher.ROOT
                        .resolve("gateway-server/target/lychgate.jar")
                        .toFile())) {
            assertThat(extension.stream().map(entry -> entry.getName()).filter(entry -> entry.endsWith(".class")))
                    .as("as META-INF/NOTICE has it")
                    .allMatch(entry -> entry.matches("(org/postgresql|dev/lychgate/postgresql)/.*"));
            for (String file : List.of("NOTICE", "LICENSE", "LICENSE-pgjdbc", "LICENSE-scram", "LICENSE-stringprep")) {
                assertThat(extension.getEntry("META-INF/" + file)).as(file).isNotNull();
            }
            assertThat(gateway.stream().map(entry -> entry.getName()))
                    .noneMatch(entry ->
                            entry.startsWith("org/postgresql/") || entry.startsWith("dev/lychgate/postgresql/"));
        }
    }
}
