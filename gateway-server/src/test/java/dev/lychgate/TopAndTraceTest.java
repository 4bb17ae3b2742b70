package dev.lychgate;

import static dev.lychgate.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.lychgate.server.admin.FleetSource;
import dev.lychgate.server.admin.FleetState;
import dev.lychgate.server.cli.LychgateCommand;
import dev.lychgate.server.cli.Signals;
import dev.lychgate.server.cli.Surroundings;
import dev.lychgate.server.engine.DataPlaneEngine;
import dev.lychgate.testing.RefusingPort;
import dev.lychgate.testing.ScriptedOrigin;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The output of {@code lychgate top} and {@code lychgate trace} for a running gateway. */
@Tag("slow")
class TopAndTraceTest extends AdministeredGateway {
    /** Long enough for several polls of a command on a busy machine. */
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final CompletableFuture<Thread> onShutdown = new CompletableFuture<>();

    /** The result of a command. */
    private record Result(int code, String out, String err) {}

    /** Runs a command for the gateway. */
    private Result asks(String... args) {
        List<String> all = new ArrayList<>(List.of(args));
        all.addAll(List.of("--admin", "127.0.0.1:" + files.gateway().adminPort()));
        return run(TOKEN, new StringWriter(), all.toArray(String[]::new));
    }

    private Result run(String token, Writer out, String... args) {
        StringWriter err = new StringWriter();
        Map<String, String> environment = Map.of("LYCHGATE_ADMIN_TOKEN", token, "COLUMNS", "100");
        int code = LychgateCommand.execute(
                new Surroundings(
                        new DataPlaneEngine(),
                        environment::get,
                        new PrintWriter(out),
                        new PrintWriter(err),
                        onShutdown::complete,
                        Signals.NONE),
                args);
        return new Result(code, out.toString(), err.toString());
    }

    @Test
    void theRecordOfAnExchangeIsPrinted() throws Exception {
        JsonNode failed = failed();
        String id = failed.path("id").asText();

        Result told = asks("trace", id);

        assertThat(told.code()).as(told.err()).isZero();
        assertThat(told.out().lines().findFirst().orElseThrow())
                .startsWith("GET ")
                .contains("/api/fails 503, route api, upstream -, ")
                .endsWith(" ms");
        assertThat(told.out().lines())
                .anyMatch(line -> line.startsWith("id " + id + ", failed, from 127.0.0.1"))
                .anyMatch(line -> line.matches("inbound +[=|]+ +0\\.000 +\\d+\\.\\d{3}"))
                .anyMatch(line -> line.matches("  stamp +[=|]+ +\\d+\\.\\d{3} +\\d+\\.\\d{3} proceed"))
                .anyMatch(line -> line.startsWith("error: circuit-open ("));
    }

    @Test
    void topShowsTheFleetOfTheGateway() throws Exception {
        assertThat(asks("top", "--fleet", "--once").out())
                .endsWith("not shown: this gateway belongs to no fleet; see the section fleet of the configuration"
                        + System.lineSeparator());

        FleetState state = new FleetState("node1", "prod", 4, "a".repeat(64), "", "", List.of(), "", Map.of());
        files.reloader().reportFleet(new FleetSource() {
            @Override
            public FleetState node() {
                return state;
            }

            @Override
            public Space space() {
                Node node = new Node(state, Condition.SERVES, 3, 120, 0, 1, 2);
                return new Space("prod", 4, state.active(), null, null, null, "alice", "activate", List.of(node));
            }
        });
        assertThat(asks("top", "--fleet", "--once").out())
                .contains("lychgate fleet prod at ", "epoch 4 by alice: activate", "in force aaaaaaaaaaaa", "node1");
        assertThat(JSON.readTree(asks("top", "--fleet", "--once", "--json").out())
                        .path("/fleet/nodes")
                        .path("space")
                        .asText())
                .isEqualTo("prod");
    }

    @Test
    void theResponseIsPrintedUnchangedForPrograms() throws Exception {
        JsonNode failed = failed();

        assertThat(JSON.readTree(
                        asks("trace", "--json", failed.path("id").asText()).out()))
                .isEqualTo(failed);
        assertThat(JSON.readTree(asks("trace", "--json").out()).path("exchanges"))
                .isEqualTo(get("/exchanges").path("exchanges"));
    }

    @Test
    void withoutAnIdTheLatestAreListed() throws Exception {
        assertThat(asks("trace").out()).isEqualToIgnoringNewLines("no exchanges are recorded");
        String first = failed().path("id").asText();
        post("/breakers?upstream=token-service&state=force-open");
        client("/api/second");
        eventually(() -> assertThat(get("/exchanges").path("exchanges")).hasSize(2));

        assertThat(asks("trace", "--reason", "failed").out().lines())
                .hasSize(2)
                .allMatch(line -> line.contains(" failed  503 "))
                .last()
                .asString()
                .contains(" " + first + " api circuit-open GET ");
        assertThat(asks("trace", "--limit", "1").out().lines())
                .hasSize(1)
                .first()
                .asString()
                .endsWith("/api/second");
        assertThat(asks("trace", "--reason", "slow").out()).isEqualToIgnoringNewLines("no exchanges are recorded");
        assertThat(asks("trace", "--route", "api", "--error", "circuit-open")
                        .out()
                        .lines())
                .hasSize(2);
        assertThat(asks("trace", "--error", "connect-refused").out())
                .isEqualToIgnoringNewLines("no exchanges are recorded");
        assertThat(asks("trace", "--route", "-").out()).isEqualToIgnoringNewLines("no exchanges are recorded");
    }

    @Test
    void missingExchangesAndMalformedOptionsAreReportedOnStandardError() throws Exception {
        Result unknown = asks("trace", "no\u001bbody");
        assertThat(unknown.code()).isEqualTo(1);
        assertThat(unknown.out()).isEmpty();
        assertThat(unknown.err()).startsWith("no exchange with that id is kept").doesNotContain("\u001b");

        assertThat(asks("trace", "--reason", "quick"))
                .satisfies(result -> assertThat(result.code()).isEqualTo(1))
                .satisfies(result -> assertThat(result.err()).startsWith("reason must be one of"));
        assertThat(asks("trace", "some", "--limit", "3").err())
                .contains("--reason, --route, --error and --limit select from the list");
        assertThat(asks("top", "--once", "--interval", "0").err()).contains("--interval: 0 (expected: 1 to 3600");
    }

    @Test
    void onePlainFrameShowsTrafficAndProblems() throws Exception {
        client("/api/x");
        String id = failed().path("id").asText();
        String endpoint =
                get("/upstreams").at("/upstreams/0/endpoints/0/endpoint").asText();
        post("/upstreams/endpoint?upstream=token-service&endpoint=" + endpoint + "&state=draining");
        post("/breakers?upstream=token-service&state=force-open");

        int generation = get("/generation").path("number").asInt();

        Result frame = asks("top", "--once");

        assertThat(frame.code()).as(frame.err()).isZero();
        assertThat(frame.out().chars()).as("no control characters").allMatch(c -> c == '\n' || (c >= 0x20 && c < 0x7f));
        assertThat(frame.out().lines())
                .allMatch(line -> line.length() <= 100)
                .anyMatch(line -> line.startsWith("lychgate ") && line.endsWith("  ready"))
                .anyMatch(line -> line.contains("generation " + generation + " since "))
                .anyMatch(line -> line.matches("ROUTES, last \\d+ s .*"))
                .anyMatch(line -> line.matches("api +\\d+\\.\\d .* 2"))
                .anyMatch(line -> line.startsWith("token-service " + endpoint + "  draining, share "))
                .anyMatch(line -> line.matches("token-service  \\S+ \\(force-open\\), .*"))
                .anyMatch(line -> line.contains(" " + id + " api circuit-open GET "));
    }

    @Test
    void topPrintsItsPagesAsOneJsonObjectPerLine() throws Exception {
        Result once = asks("top", "--once", "--json");

        assertThat(once.code()).as(once.err()).isZero();
        assertThat(once.out().lines()).hasSize(1);
        JsonNode pages = JSON.readTree(once.out());
        assertThat(pages.at("/~1generation/number").asInt())
                .isEqualTo(get("/generation").path("number").asInt());
        assertThat(pages.at("/~1upstreams/upstreams"))
                .isEqualTo(get("/upstreams").path("upstreams"));

        Result refused = run(
                "not-the-token-at-all",
                new StringWriter(),
                "top",
                "--json",
                "--admin",
                "127.0.0.1:" + files.gateway().adminPort());
        assertThat(refused.code()).isEqualTo(1);
        assertThat(refused.err()).contains(": 401 ");
    }

    @Test
    void anUnavailableGatewayEndsOneFrameWithOneLine() throws Exception {
        try (RefusingPort nobody = new RefusingPort()) {
            String at = "127.0.0.1:" + nobody.address().getPort();
            Result result = run(TOKEN, new StringWriter(), "top", "--once", "--admin", at);
            assertThat(result.code()).isEqualTo(1);
            assertThat(result.err().lines()).hasSize(1).first().asString().contains("no gateway responds at " + at);
        }
    }

    @Test
    void aServerThatIsNoGatewayCanNotControlTheTerminal() throws Exception {
        try (ScriptedOrigin other = ScriptedOrigin.answering((request, c) -> c.send("HT\u001b[2J 200\r\n\r\n"))) {
            for (String[] command : new String[][] {{"top", "--once"}, {"trace"}}) {
                Result result = run(
                        TOKEN,
                        new StringWriter(),
                        Stream.concat(Stream.of(command), Stream.of("--admin", "127.0.0.1:" + other.port()))
                                .toArray(String[]::new));
                assertThat(result.code()).isEqualTo(1);
                assertThat(result.err()).contains("no gateway responds at ").doesNotContain("\u001b");
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"200, it is", "422, '{\"detail\":\"it is\\u001b[2J\"}'", "500, it is"})
    void noResponseControlsTheTerminal(int status, String text) throws Exception {
        String body = text + "\u001b[2J\u0007\r";
        int length = body.getBytes(StandardCharsets.UTF_8).length;
        try (ScriptedOrigin other = ScriptedOrigin.answering(
                (request, c) -> c.send("HTTP/1.1 " + status + " x\r\nContent-Length: " + length + "\r\n\r\n" + body))) {
            for (String command :
                    List.of("reload", "trace --json", "rollback 1", "explain GET /", "log-level root info")) {
                Result result =
                        run(TOKEN, new StringWriter(), (command + " --admin 127.0.0.1:" + other.port()).split(" "));
                assertThat(result.out() + result.err())
                        .as(command)
                        .contains("it is")
                        .doesNotContain("\u001b", "\u0007", "\r");
            }
        }
    }

    @Test
    void aRefusedAccessIsReportedAndNotRetried() {
        String at = "127.0.0.1:" + files.gateway().adminPort();
        Result result = run("not-the-token-at-all", new StringWriter(), "top", "--admin", at);
        assertThat(result.code()).isEqualTo(1);
        assertThat(result.err()).contains("the gateway refuses access: 401 ");
    }

    @Test
    void plainFramesContinueWithoutAGatewayUntilTheCommandIsStopped() throws Exception {
        StringWriter out = new StringWriter();
        String at = "127.0.0.1:" + files.gateway().adminPort();
        CompletableFuture<Result> top =
                CompletableFuture.supplyAsync(() -> run(TOKEN, out, "top", "--interval", "1", "--admin", at));
        eventually(PATIENCE, () -> assertThat(out.toString()).contains("  ready\n"));
        files.gateway().close();
        eventually(PATIENCE, () -> assertThat(out.toString()).contains("  NO RESPONSE since "));

        onShutdown.get(10, TimeUnit.SECONDS).start();

        Result ended = top.get(30, TimeUnit.SECONDS);
        assertThat(ended.code()).as(ended.err()).isZero();
        assertThat(ended.out()).doesNotContain("\u001b");
    }

    @Test
    void plainFramesEndWhenStandardOutputIsClosed() {
        Writer closed = new Writer() {
            @Override
            public void write(char[] text, int from, int length) throws IOException {
                throw new IOException("Broken pipe");
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        String at = "127.0.0.1:" + files.gateway().adminPort();

        assertThat(run(TOKEN, closed, "top", "--interval", "3600", "--admin", at)
                        .code())
                .as("as with other programs, lost output is a failure")
                .isEqualTo(1);
    }
}
