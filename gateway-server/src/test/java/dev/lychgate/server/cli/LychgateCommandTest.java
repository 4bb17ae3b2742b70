package dev.lychgate.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.config.ConfigException;
import dev.lychgate.server.engine.DataPlaneEngine;
import dev.lychgate.server.engine.StartException;
import dev.lychgate.server.origin.DemoOrigin;
import dev.lychgate.server.terminal.JsonValue;
import dev.lychgate.server.yaml.Fault;
import dev.lychgate.testing.RawMessage;
import dev.lychgate.testing.Responses;
import dev.lychgate.testing.ScriptedOrigin;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;

@Tag("slow")
class LychgateCommandTest {
    private static final String GOOD = """
            listeners: [{ name: main, address: "127.0.0.1:0" }]
            routes: [{ id: api, match: { path: "/a" }, upstream: api }]
            upstreams: { api: { endpoints: ["http://127.0.0.1:9000"] } }
            """;

    private final Terminal terminal = new Terminal();
    private Path dir = Path.of("");
    private String good = "";

    @BeforeEach
    void writeAFile(@TempDir Path fresh) throws IOException {
        dir = fresh;
        good = Files.writeString(dir.resolve("good.yml"), GOOD).toString();
    }

    @Test
    void printsHelpInsteadOfStartingAGatewayWithoutACommand() throws IOException {
        Files.createDirectory(dir.resolve("config"));
        Files.writeString(dir.resolve("config/gateway.yml"), GOOD);
        terminal.environment.put("LYCHGATE_HOME", dir.toString());

        assertThat(terminal.run()).isZero();

        assertThat(terminal.started).isNull();
        assertThat(terminal.out()).startsWith("Usage: lychgate").contains("Examples:", "lychgate demo");
        assertThat(terminal.err()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"rel, 1, reload", "mig, 1, migrate", "reload --js, 2, --json", "check --conf, 2, --config"})
    void completesCommandsAndOptionsInAShell(String line, int word, String completed) throws Exception {
        assertThat(terminal.run("completion")).isZero();
        Path script = Files.writeString(dir.resolve("completion"), terminal.out());
        Process bash = new ProcessBuilder(
                        "bash",
                        "-c",
                        "source \"$0\"; COMP_WORDS=(lychgate $1); COMP_CWORD=$2; _complete_lychgate; "
                                + "printf '%s\\n' \"${COMPREPLY[@]}\"",
                        script.toString(),
                        line,
                        Integer.toString(word))
                .redirectErrorStream(true)
                .start();
        String output = new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(bash.waitFor()).as(output).isZero();
        assertThat(output.lines()).contains(completed);
    }

    @Test
    void printsTheSchemaOfTheConfiguration() throws Exception {
        assertThat(terminal.run("schema")).isZero();
        assertThat(terminal.out()).isEqualTo(Files.readString(Path.of("..", "config", "gateway.schema.json")));
    }

    @Test
    void rejectsAConfigurationWithoutACommand() {
        assertThat(terminal.run("--config", good)).isEqualTo(64);

        assertThat(terminal.started).isNull();
        assertThat(terminal.err())
                .isEqualToIgnoringNewLines("lychgate: a command is missing, such as run (try: lychgate --help)");
    }

    @Test
    void servesUntilStopped() {
        assertThat(terminal.run("run", "--config", good)).isZero();

        assertThat(terminal.started().listeners()).hasSize(1);
        assertThat(terminal.started().upstreams()).containsOnlyKeys("api");
        assertThat(terminal.onShutdown).hasSize(1);
        assertThat(terminal.err()).isEmpty();
    }

    @Test
    void acceptsTheConfigurationInEveryNotation() throws IOException {
        String bad = Files.writeString(dir.resolve("bad.yml"), "worker: 1\n").toString();
        String[][] ways = {
            {"run", "--config", bad},
            {"run", "-c", bad},
            {"run", "--config=" + bad},
            {"--config", bad, "run"},
            {"-c", bad, "run"}
        };
        for (String[] words : ways) {
            Terminal fresh = new Terminal();
            assertThat(fresh.run(words)).as(String.join(" ", words)).isEqualTo(78);
            assertThat(fresh.err()).contains(bad + ":1:1: worker: unknown key");
        }
        for (String[] words : new String[][] {{"run", "--config"}, {"run", "--config", "--help"}, {"run", "x"}}) {
            Terminal fresh = new Terminal();
            assertThat(fresh.run(words)).as(String.join(" ", words)).isEqualTo(64);
            assertThat(fresh.err()).contains("(try: lychgate run --help)");
        }
    }

    @Test
    void runsTheRehearsalForTheCacheOfClasses() {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        var surroundings = new Surroundings(
                new DataPlaneEngine(),
                name -> null,
                new PrintWriter(out),
                new PrintWriter(err),
                hook -> {},
                Signals.NONE);

        assertThat(LychgateCommand.execute(surroundings, "cache"))
                .as(err.toString())
                .isZero();

        assertThat(out).hasToString("sent 1000 requests through a gateway\n");
    }

    @Test
    void theLogIsConfiguredBeforeTheGatewayStarts() throws IOException {
        Path file = Files.writeString(dir.resolve("log.yml"), GOOD + "log: { loggers: { com.example.cli: trace } }\n");
        Logger logger = LoggerFactory.getLogger("com.example.cli.Any");
        assertThat(logger.isTraceEnabled()).isFalse();

        assertThat(terminal.run("check", "--config", file.toString())).isZero();
        assertThat(logger.isTraceEnabled()).as("checked only").isFalse();
        assertThat(terminal.run("run", "--config", file.toString())).isZero();

        assertThat(logger.isTraceEnabled()).isTrue();
    }

    @Test
    void endsWithASpecificCodeWhenTheGatewayFails() {
        terminal.breaksDown = true;

        assertThat(terminal.run("run", "--config", good)).isEqualTo(70);
    }

    @Test
    void acceptsTheConfigurationBeforeTheCommand() throws IOException {
        Path bad = Files.writeString(dir.resolve("bad.yml"), "worker: 1\n");
        for (String command : new String[] {"check", "run"}) {
            Terminal fresh = new Terminal();
            assertThat(fresh.run("--config", bad.toString(), command)).isEqualTo(78);
            assertThat(fresh.err()).contains(bad + ":1:1: worker: unknown key");
        }
        assertThat(terminal.run("--config", good, "routes", "GET", "/")).isZero();
        assertThat(terminal.out()).contains("route api is met");
    }

    @Test
    void prefersTheConfigurationAfterTheCommand() {
        assertThat(terminal.run("-c", "none.yml", "check", "-c", good)).isZero();
    }

    @Test
    void refusesAConfigurationForACommandThatReadsNone() {
        assertThat(terminal.run("--config", good, "demo", "--port", "0")).isEqualTo(64);

        assertThat(terminal.err())
                .isEqualToIgnoringNewLines("lychgate: --config is not an option of demo (try: lychgate --help)");
        assertThat(terminal.started).isNull();
    }

    @Test
    void findsTheFileBesideTheLauncher() throws IOException {
        Files.createDirectory(dir.resolve("config"));
        Files.writeString(dir.resolve("config/gateway.yml"), GOOD);
        terminal.environment.put("LYCHGATE_HOME", dir.toString());

        assertThat(terminal.run("run")).isZero();

        assertThat(terminal.started().listeners()).hasSize(1);
    }

    @Test
    void checksAFile() {
        assertThat(terminal.run("check", "--config", good)).isZero();

        assertThat(terminal.out()).isEqualToIgnoringNewLines("ok");
        assertThat(terminal.started).isNull();
    }

    @Test
    void warnsOfUnlikelyConfigurations() {
        terminal.warnings.add("routes[1] (two) is never reached");
        assertThat(terminal.run("check", "--config", good)).isZero();

        assertThat(terminal.out()).isEqualToIgnoringNewLines("ok");
        assertThat(terminal.err()).isEqualToIgnoringNewLines("warning: routes[1] (two) is never reached");
    }

    @Test
    void warnsOfAnUnsafeFilterDirectory() {
        terminal.warnings.add("routes[1] (two) is never reached");
        terminal.unwise.add("directory filters is writable by every user");
        assertThat(terminal.run("check", "--config", good)).isZero();

        assertThat(terminal.out()).isEqualToIgnoringNewLines("ok");
        assertThat(terminal.err().lines())
                .containsExactly(
                        "warning: routes[1] (two) is never reached",
                        "warning: directory filters is writable by every user");
    }

    @Test
    void listsTheFaultsOfAFileOnStandardError() throws IOException {
        Path bad = Files.writeString(dir.resolve("bad.yml"), "listeners: []\nworker: 1\n");

        for (String command : new String[] {"check", "run", "routes"}) {
            Terminal fresh = new Terminal();
            String[] args = command.equals("routes")
                    ? new String[] {command, "-c", bad.toString(), "GET", "/"}
                    : new String[] {command, "-c", bad.toString()};
            assertThat(fresh.run(args)).isEqualTo(78);
            assertThat(fresh.out()).isEmpty();
            assertThat(fresh.err().lines())
                    .hasSize(2)
                    .allMatch(line -> line.startsWith(bad + ":"))
                    .anyMatch(line -> line.contains(":2:1: worker: unknown key, did you mean 'workers'?"));
        }
    }

    @Test
    void reportsThePlaceOfFaultsOfTheEngine() {
        terminal.refusals.add(new ConfigException("routes[0].match.path", "/a", "something else"));

        assertThat(terminal.run("check", "--config", good)).isEqualTo(78);

        assertThat(terminal.err())
                .isEqualToIgnoringNewLines(good + ":2:36: routes[0].match.path: /a (expected: something else)");
    }

    @Test
    void reportsAMissingFileInOneLine() {
        assertThat(terminal.run("run", "--config", "none.yml")).isEqualTo(78);

        assertThat(terminal.err())
                .isEqualToIgnoringNewLines("none.yml: no such file (expected: a YAML file; name it with --config)");
    }

    /** Contains the members of the responses to all commands. */
    private static final String ANY_PAGE = "{\"kept\":[],\"endpoint\":\"e\",\"position\":\"open\",\"filters\":[],"
            + "\"loggers\":[],\"considered\":[],\"id\":\"i\",\"exchanges\":[]}";

    private static ScriptedOrigin answering(String page) {
        return ScriptedOrigin.answering(
                (request, c) -> c.send(Responses.of(200, page, "Content-Type: application/json; charset=utf-8")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"reload", "rollback 1", "trace", "trace x", "explain GET /", "log-level root debug"})
    void aServerThatIsNoGatewayIsAFailure(String command) {
        for (String type : List.of("text/html", "application/json")) {
            try (ScriptedOrigin other = ScriptedOrigin.answering(
                    (request, c) -> c.send(Responses.of(200, "{\"who\":1}", "Content-Type: " + type)))) {
                for (String form : List.of("", " --json")) {
                    Terminal asking = new Terminal();
                    assertThat(asking.run((command + form + " --admin 127.0.0.1:" + other.port()).split(" ", -1)))
                            .isEqualTo(1);
                    assertThat(asking.out()).isEmpty();
                    assertThat(asking.err())
                            .isEqualToIgnoringNewLines("lychgate: the response of 127.0.0.1:" + other.port()
                                    + " is not from a gateway: {\"who\":1}; is it the admin listener of a gateway?");
                }
            }
        }
    }

    @Test
    void lostOutputIsAFailure() {
        Surroundings around = terminal.surroundings();
        PrintWriter full = new PrintWriter(new Writer() {
            @Override
            public void write(char[] text, int from, int length) throws IOException {
                throw new IOException("No space left on device");
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        });
        Surroundings lost = new Surroundings(
                around.engine(), around.environment(), full, around.err(), around.onShutdown(), Signals.NONE);
        assertThat(LychgateCommand.execute(lost, "check", "--config", good)).isEqualTo(1);
        assertThat(terminal.err())
                .isEqualToIgnoringNewLines("lychgate: standard output can't be written, so output is missing");
    }

    @Test
    void reportsWhyARollbackWasRefused() {
        String problem = "{\"status\":422,\"detail\":\"filters: the key is gone\"}";
        try (ScriptedOrigin admin = ScriptedOrigin.answering((request, c) -> c.send(Responses.of(422, problem)))) {
            assertThat(terminal.run("rollback", "--admin", "127.0.0.1:" + admin.port(), "1"))
                    .isEqualTo(1);
        }
        assertThat(terminal.out()).isEmpty();
        assertThat(terminal.err()).isEqualToIgnoringNewLines("filters: the key is gone");
    }

    @Test
    void reportsTheFaultsOfRefusedFiles() {
        String problem = """
                {"title":"x","more":{"detail":"no"},"detail":"a; b","faults":["a.groovy:1:2: a","gateway.yml:3: \\"b\\""]}
                """;
        try (ScriptedOrigin admin = ScriptedOrigin.answering((request, c) -> c.send(Responses.of(422, problem)))) {
            assertThat(terminal.run("reload", "--admin", "127.0.0.1:" + admin.port()))
                    .isEqualTo(1);
        }
        assertThat(terminal.out()).isEmpty();
        assertThat(terminal.err().lines()).containsExactly("a.groovy:1:2: a", "gateway.yml:3: \"b\"");
    }

    @Test
    void printsAResponseThatIsNoProblem() {
        try (ScriptedOrigin admin =
                ScriptedOrigin.answering((request, c) -> c.send(Responses.of(502, "<html>who?</html>")))) {
            assertThat(terminal.run("reload", "--admin", "127.0.0.1:" + admin.port()))
                    .isEqualTo(1);
        }
        assertThat(terminal.err()).isEqualToIgnoringNewLines("<html>who?</html>");
    }

    @Test
    void usesTheAdminListenerOfTheConfiguration() throws IOException {
        try (ScriptedOrigin admin = answering(ANY_PAGE)) {
            String file = withAdmin("127.0.0.1:" + admin.port());
            assertThat(terminal.run("reload", "--config", file)).isZero();
            assertThat(terminal.run("--config", file, "rollback", "1")).isZero();
            assertThat(terminal.run(
                            "reload", "--config", withAdmin("0.0.0.0:" + admin.port(), "token: 0123456789abcdef")))
                    .isZero();
            assertThat(terminal.run("reload", "-c", "none.yml", "--admin", "127.0.0.1:" + admin.port()))
                    .as("explicit options need no file")
                    .isZero();
            assertThat(admin.requests())
                    .extracting(RawMessage::startLine)
                    .containsExactly(
                            "POST /reload HTTP/1.1",
                            "POST /rollback?generation=1 HTTP/1.1",
                            "POST /reload HTTP/1.1",
                            "POST /reload HTTP/1.1");
        }
        assertThat(terminal.err()).isEmpty();
    }

    @Test
    void changesAnEndpoint() {
        try (ScriptedOrigin admin = answering(ANY_PAGE)) {
            String at = "127.0.0.1:" + admin.port();
            assertThat(terminal.run("endpoint", "--admin", at, "api", "10.0.0.1:9000", "--drain"))
                    .isZero();
            assertThat(terminal.run("endpoint", "--admin", at, "api", "[::1]:9000", "--enable", "--weight", "5"))
                    .isZero();
            assertThat(admin.requests())
                    .extracting(RawMessage::startLine)
                    .containsExactly(
                            "POST /upstreams/endpoint?upstream=api&endpoint=10.0.0.1%3A9000&state=draining HTTP/1.1",
                            "POST /upstreams/endpoint?upstream=api&endpoint=%5B%3A%3A1%5D%3A9000&state=enabled&weight=5"
                                    + " HTTP/1.1");
        }
    }

    @Test
    void rejectsAnEndpointWithoutAChange() {
        assertThat(terminal.run("endpoint", "api", "10.0.0.1:9000")).isEqualTo(64);
        assertThat(terminal.run("endpoint", "api", "10.0.0.1:9000", "--drain", "--enable"))
                .isEqualTo(64);
    }

    @Test
    void sendsTheToken() throws IOException {
        try (ScriptedOrigin admin = answering(ANY_PAGE)) {
            String at = "127.0.0.1:" + admin.port();
            Files.writeString(dir.resolve("token"), "of-the-token-file\n");
            assertThat(terminal.run("reload", "--admin", at)).isZero();
            assertThat(terminal.run("reload", "--config", withAdmin(at, "token: of-the-configuration")))
                    .isZero();
            assertThat(terminal.run("reload", "--config", withAdmin(at, "token-file: token")))
                    .isZero();
            terminal.environment.put("LYCHGATE_ADMIN_TOKEN", "of-the-environment");
            assertThat(terminal.run("reload", "--config", withAdmin(at, "token: of-the-configuration")))
                    .isZero();
            assertThat(terminal.run("reload", "--admin", "http://" + at, "--token", "of-the-line"))
                    .isZero();
            assertThat(admin.requests())
                    .extracting(request -> request.value("authorization").orElse("none"))
                    .containsExactly(
                            "none",
                            "Bearer of-the-configuration",
                            "Bearer of-the-token-file",
                            "Bearer of-the-environment",
                            "Bearer of-the-line");
        }
    }

    @Test
    void sendsChangesOfBreakersAndFiltersAndExplanations() {
        try (ScriptedOrigin admin = answering(ANY_PAGE)) {
            String at = "127.0.0.1:" + admin.port();
            assertThat(terminal.run("breaker", "--admin", at, "api", "--open")).isZero();
            assertThat(terminal.run("breaker", "--admin", at, "api", "10.0.0.1:9000", "--close"))
                    .isZero();
            assertThat(terminal.run("breaker", "--admin", at, "api", "--auto")).isZero();
            assertThat(terminal.run("filter", "--admin", at, "inbound", "a b", "--disable", "--force"))
                    .isZero();
            assertThat(terminal.run("filter", "--admin", at, "inbound", "a", "--enable"))
                    .isZero();
            assertThat(terminal.run("log-level", "--admin", at, "root", "debug", "--for", "5m"))
                    .isZero();
            assertThat(terminal.run(
                            "explain",
                            "--admin",
                            at,
                            "GET",
                            "/a?b=c",
                            "-H",
                            "x:y",
                            "-H",
                            "z:",
                            "--client",
                            "10.0.0.1",
                            "--listener",
                            "main"))
                    .isZero();
            assertThat(admin.requests())
                    .extracting(RawMessage::startLine)
                    .containsExactly(
                            "POST /breakers?upstream=api&state=force-open HTTP/1.1",
                            "POST /breakers?upstream=api&endpoint=10.0.0.1%3A9000&state=force-closed HTTP/1.1",
                            "POST /breakers?upstream=api&state=auto HTTP/1.1",
                            "POST /filters?phase=inbound&name=a%20b&state=disabled&force=true HTTP/1.1",
                            "POST /filters?phase=inbound&name=a&state=enabled HTTP/1.1",
                            "POST /log?logger=root&level=debug&for=5m HTTP/1.1",
                            "GET /explain?method=GET&url=%2Fa%3Fb%3Dc&header=x%3Ay&header=z%3A&client=10.0.0.1&listener=main HTTP/1.1");
        }
        assertThat(terminal.run("breaker", "api")).isEqualTo(64);
        assertThat(terminal.run("filter", "inbound", "a")).isEqualTo(64);
    }

    @Test
    void hintsUseTheOptionsOfTheCommand() {
        String problem = "{\"detail\":\"this filter fails closed; force=true disables it nevertheless\"}";
        try (ScriptedOrigin admin = ScriptedOrigin.answering((request, c) -> c.send(Responses.of(409, problem)))) {
            assertThat(terminal.run("filter", "--admin", "127.0.0.1:" + admin.port(), "inbound", "a", "--disable"))
                    .isEqualTo(1);
            assertThat(terminal.err())
                    .isEqualToIgnoringNewLines("this filter fails closed; --force disables it nevertheless");
        }
    }

    private String withAdmin(String address) throws IOException {
        return withAdmin(address, "");
    }

    private String withAdmin(String address, String more) throws IOException {
        String admin = "admin: { address: \"" + address + "\", " + more + " }\n";
        return Files.writeString(dir.resolve("admin.yml"), GOOD + admin).toString();
    }

    @Test
    void reportsAConfigurationWithoutAUsableAdminListener() throws IOException {
        assertThat(terminal.run("reload", "--config", good)).isEqualTo(1);
        assertThat(terminal.err())
                .isEqualToIgnoringNewLines("lychgate: " + good
                        + " has no section admin; set the address of the admin listener with --admin");

        Terminal second = new Terminal();
        String any = withAdmin("127.0.0.1:0");
        assertThat(second.run("reload", "--config", any)).isEqualTo(1);
        assertThat(second.err()).contains("lets the operating system choose the port of the admin listener");

        Terminal third = new Terminal();
        String bad = Files.writeString(dir.resolve("bad.yml"), "worker: 1\n").toString();
        assertThat(third.run("rollback", "--config", bad, "1")).isEqualTo(78);
        assertThat(third.err().lines())
                .first()
                .isEqualTo("lychgate: " + bad + " has errors; set the address of the admin listener with --admin");
        assertThat(third.err()).contains(bad + ":1:1: worker: unknown key");
    }

    @Test
    void reportsAFailedStartInOneLine() {
        terminal.cannotStart = StartException.unbound("listener main", "127.0.0.1:80", new IOException("odd\nluck"));

        assertThat(terminal.run("run", "--config", good)).isEqualTo(1);

        assertThat(terminal.err())
                .isEqualToIgnoringNewLines("lychgate: listener main can't bind 127.0.0.1:80: odd luck");
    }

    @Test
    void reportsFaultsOfFiltersOneInALineAndAsJson() {
        StartException refused = new StartException(List.of(
                new Fault("inbound/A.groovy", 3, 0, "", "size is\ntoo small", ""),
                new Fault("gateway.yml", 8, 74, "routes[1].filters[0].A.size", "101", "1 to 100")));
        for (String command : List.of("run", "check")) {
            Terminal text = new Terminal();
            text.cannotStart = refused;
            assertThat(text.run(command, "--config", good)).isEqualTo(78);
            assertThat(text.out()).isEmpty();
            assertThat(text.err().lines())
                    .containsExactly(
                            "inbound/A.groovy:3: size is\\ntoo small",
                            "gateway.yml:8:74: routes[1].filters[0].A.size: 101 (expected: 1 to 100)");
        }

        terminal.cannotStart = refused;
        assertThat(terminal.run("check", "--json", "--config", good)).isEqualTo(78);
        assertThat(terminal.err()).isEmpty();
        assertThat(terminal.out())
                .isEqualToIgnoringNewLines(
                        "{\"ok\":false,\"faults\":[{\"file\":\"inbound/A.groovy\",\"line\":3,\"key\":\"\",\"problem\":"
                                + "\"size is\\\\ntoo small\",\"expected\":\"\"},{\"file\":\"gateway.yml\",\"line\":8,"
                                + "\"column\":74,\"key\":\"routes[1].filters[0].A.size\",\"problem\":\"101\","
                                + "\"expected\":\"1 to 100\"}],\"warnings\":[]}");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            relod                     | unknown command 'relod'; did you mean 'reload'? (try: lychgate --help)
            serve                     | unknown command 'serve'
            --confg x run             | unknown option '--confg'; did you mean '--config'? (try: lychgate --help)
            check --jsn               | unknown option '--jsn'; did you mean '--json'? (try: lychgate check --help)
            check x                   | unexpected argument 'x' (try: lychgate check --help)
            help relod                | unknown command 'relod'
            routes GET                | Missing required parameter: 'URL' (try: lychgate routes --help)
            routes GET x              | GET x (expected: a path that begins with /
            rollback five             | Invalid value for positional parameter at index 0 (GENERATION)
            top --interval 0          | --interval: 0 (expected: 1 to 3600 seconds) (try: lychgate top --help)
            test no-such-directory    | no-such-directory is not a directory (try: lychgate test --help)
            demo --port 70000         | address: 70000
            reload --admin 127.0.0.1:99999 | --admin: 127.0.0.1:99999 (expected: HOST:PORT or https://HOST:PORT, port 1 to 65535)
            reload --admin 127.0.0.1  | --admin: 127.0.0.1 (expected: HOST:PORT
            reload --admin ftp://a:1  | --admin: ftp://a:1 (expected: HOST:PORT
            reload --admin http://a:1/x | --admin: http://a:1/x (expected: HOST:PORT
            top --token ä --once      | --token or LYCHGATE_ADMIN_TOKEN: *** (expected: ASCII characters without blanks)
            origin --port 70000       | port
            """)
    void reportsAMalformedCommandLineInOneLineWithExitCode64(String line, String message) {
        assertThat(terminal.run(line.split(" +", -1))).isEqualTo(64);

        assertThat(terminal.err().lines())
                .hasSize(1)
                .first()
                .asString()
                .startsWith("lychgate: ")
                .contains(message);
        assertThat(terminal.out()).isEmpty();
        assertThat(terminal.started).isNull();
    }

    @Test
    void everyCommandHasExamplesThatAreValidCommandLines() {
        CommandLine all = LychgateCommand.all(terminal.surroundings());
        assertThat(all.getSubcommands()).hasSizeGreaterThan(15);
        List<CommandLine> commands = new ArrayList<>(all.getSubcommands().values());
        commands.add(all);
        for (CommandLine command : commands) {
            String name = command.getCommandName();
            assertThat(command.getUsageMessage()).as(name).contains("Examples:");
            List<String> examples = Arrays.stream(
                            command.getCommandSpec().usageMessage().footer())
                    .filter(line -> line.startsWith("  lychgate "))
                    .toList();
            assertThat(examples).as(name).isNotEmpty();
            for (String example : examples) {
                String[] words = example.strip().replaceAll(" [<>].*", "").split(" +", -1);
                CommandLine fresh = LychgateCommand.all(terminal.surroundings());
                fresh.parseArgs(Arrays.copyOfRange(words, 1, words.length));
                if (command != all) {
                    assertThat(words[1]).as(example).isEqualTo(name);
                }
            }
        }
    }

    @Test
    void helpListsOptionsInTheOrderOfTheirUse() {
        assertThat(terminal.run("help", "trace")).isZero();

        assertThat(terminal.out()).startsWith("Usage: lychgate trace");
        assertThat(terminal.out().lines().filter(line -> line.matches(" {2,6}-.*")))
                .extracting(line -> line.strip().replaceAll("[=, ].*", ""))
                .containsExactly(
                        "--reason",
                        "--route",
                        "--error",
                        "--limit",
                        "--save",
                        "--json",
                        "--admin",
                        "-c",
                        "--token",
                        "--ca",
                        "--cert",
                        "--key",
                        "-h",
                        "-V");
    }

    @Test
    void helpOfACommandEqualsItsHelpOption() {
        Terminal other = new Terminal();
        assertThat(terminal.run("help", "check")).isZero();
        assertThat(other.run("check", "--help")).isZero();

        assertThat(terminal.out()).isEqualTo(other.out()).contains("--json", "Examples:");
    }

    @Test
    void printsTheVersionAsTextAndAsJson() throws IOException {
        assertThat(terminal.run("version")).isZero();
        assertThat(terminal.out()).startsWith("lychgate ").contains("Java " + Runtime.version());

        Terminal json = new Terminal();
        assertThat(json.run("version", "--json")).isZero();
        assertThat(JsonValue.of(json.out()).text("java"))
                .isEqualTo(Runtime.version().toString());
    }

    @Test
    void checkPrintsFaultsAndWarningsAsJson() throws IOException {
        String bad = Files.writeString(dir.resolve("bad.yml"), "listeners: []\nworker: 1\n")
                .toString();
        assertThat(terminal.run("check", "--json", "--config", bad)).isEqualTo(78);
        JsonValue refused = JsonValue.of(terminal.out());
        assertThat(refused.is("ok")).isFalse();
        assertThat(refused.list("faults")).hasSize(2).anySatisfy(fault -> {
            assertThat(fault.text("file")).isEqualTo(bad);
            assertThat(fault.number("line")).isEqualTo(2);
            assertThat(fault.number("column")).isEqualTo(1);
            assertThat(fault.text("key")).isEqualTo("worker");
            assertThat(fault.text("problem")).contains("did you mean 'workers'?");
        });
        assertThat(terminal.err()).isEmpty();

        Terminal second = new Terminal();
        second.warnings.add("routes[1] (two) is never reached");
        assertThat(second.run("check", "--json", "--config", good)).isZero();
        assertThat(second.out())
                .isEqualToIgnoringNewLines(
                        "{\"ok\":true,\"faults\":[],\"warnings\":[\"routes[1] (two) is never reached\"]}");
    }

    @Test
    void routesPrintsTheExplanationAsJson() throws IOException {
        assertThat(terminal.run("routes", "--json", "--config", good, "GET", "/a"))
                .isZero();

        JsonValue explanation = JsonValue.of(terminal.out());
        assertThat(explanation.list("meets"))
                .extracting(met -> met.text("route"))
                .containsExactly("api");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            reload | {"kept":[{"number":5,"since":"2026-01-01T00:00:00Z","why":"asked \
            for","running":true},{"number":4,"since":"2026-01-01T00:00:00Z","why":"start","running":false}]} | \
            generation 5 has been in force since 2026-01-01T00:00:00Z: asked for;generation 4 is kept, from \
            2026-01-01T00:00:00Z: start
            rollback 4 | {"kept":[{"number":6,"since":"2026-01-01T00:00:00Z","why":"rollback to 4","running":true}]} | \
            generation 6 has been in force since 2026-01-01T00:00:00Z: rollback to 4
            endpoint api 10.0.0.1:9000 --drain | {"upstream":"api","endpoint":"10.0.0.1:9000","weight":5,"admin":"draining","health":"healthy","ejected":false,"share":0.25} | endpoint 10.0.0.1:9000 of api: draining, healthy, weight 5, share 25.0 %
            breaker api --open | {"upstream":"api","position":"open","state":"force-open","attempts":10,"failures":3,"openings":1} | breaker of api: open (force-open), 3 of 10 attempts failed
            filter inbound Quota --disable | {"filters":[{"phase":"inbound","name":"Quota","source":"inbound/Quota.groovy","disabled":true,"ejected":false}]} | filter inbound Quota (inbound/Quota.groovy): disabled
            filter inbound Quota --disable --route api | {"filters":[{"phase":"inbound","name":"Quota","source":"inbound/Quota.groovy","disabled":false,"disabled_on":["api"],"ejected":false}]} | filter inbound Quota (inbound/Quota.groovy): enabled, disabled on api
            log-level root debug --for 5m | {"loggers":[{"logger":"root","level":"debug","effective":"debug","until":"2026-01-01T00:05:00Z","afterwards":"info"}]} | logger root: debug until 2026-01-01T00:05:00Z, then info
            explain GET /a | {"request":"GET http://localhost/a","considered":[{"route":"api","verdict":"matched"}],"meets":[{"route":"api","does":"sends","filters":[{"phase":"inbound","name":"Quota","order":10,"form":"sync","source":"built-in","remark":"does not apply"}]}]} | GET http://localhost/a;  api: matched;route api sends;  inbound Quota (order 10, sync, built-in): does not apply
            """)
    void printsTextByDefaultAndTheResponseWithJson(String command, String response, String text) {
        try (ScriptedOrigin admin = answering(response)) {
            String[] words = (command + " --admin 127.0.0.1:" + admin.port()).split(" ", -1);
            assertThat(terminal.run(words)).isZero();
            assertThat(terminal.out().lines()).containsExactly(text.split(";", -1));

            Terminal json = new Terminal();
            assertThat(json.run((command + " --json --admin 127.0.0.1:" + admin.port()).split(" ", -1)))
                    .isZero();
            assertThat(json.out()).isEqualToIgnoringNewLines(response);
        }
    }

    @Test
    void printsAProblemAsJsonOnRequest() {
        String problem = "{\"status\":422,\"detail\":\"filters: the key is gone\"}";
        try (ScriptedOrigin admin = ScriptedOrigin.answering((request, c) -> c.send(Responses.of(422, problem)))) {
            assertThat(terminal.run("rollback", "1", "--json", "--admin", "127.0.0.1:" + admin.port()))
                    .isEqualTo(1);
        }
        assertThat(terminal.out()).isEqualToIgnoringNewLines(problem);
        assertThat(terminal.err()).isEmpty();
    }

    @Test
    void explainsTheRouteOfARequest() {
        assertThat(terminal.run("routes", "--config", good, "GET", "http://a.example/x?y"))
                .isZero();

        assertThat(terminal.out().lines()).containsExactly("GET a.example /x y", "route api is met");
    }

    @Test
    void printsItsVersionAndHelp() {
        assertThat(terminal.run("--version")).isZero();
        assertThat(terminal.out()).startsWith("lychgate ");

        Terminal second = new Terminal();
        assertThat(second.run("--help")).isZero();
        assertThat(second.out()).contains("run", "check", "routes", "demo", "origin", "--config=FILE");
    }

    @Test
    void runsTheDemoWithTwoOrigins() {
        assertThat(terminal.run("demo", "--port", "0", "--admin-port", "0")).isZero();

        assertThat(terminal.started().upstreams().get("demo"))
                .satisfies(u -> assertThat(u.endpoints()).hasSize(2));
        assertThat(terminal.out())
                .contains("curl -i http://127.0.0.1:8080/")
                .contains("http://127.0.0.1:8081/dashboard", "lychgate top --admin 127.0.0.1:8081");
        assertThat(terminal.out().lines().filter(line -> line.contains("?")))
                .as("a shell treats a bare ? as a pattern")
                .isNotEmpty()
                .allMatch(line -> line.matches(".* '\\S+\\?\\S+'.*"));
    }

    @Test
    void reportsAPortInUseInOneLine() {
        try (DemoOrigin other = DemoOrigin.start()) {
            assertThat(terminal.run("origin", "--port", Integer.toString(other.port())))
                    .isEqualTo(1);

            assertThat(terminal.err())
                    .isEqualToIgnoringNewLines("lychgate: origin can't bind 127.0.0.1:" + other.port()
                            + ": the address is already in use");
        }
    }
}
