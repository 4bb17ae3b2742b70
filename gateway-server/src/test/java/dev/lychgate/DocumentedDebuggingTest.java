package dev.lychgate;

import static dev.lychgate.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.server.reload.FileGateway;
import dev.lychgate.testing.Answers;
import dev.lychgate.testing.Gate;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.RawMessage;
import dev.lychgate.testing.ScriptedOrigin;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** docs/debugging.md, section by section: with the fault there, its commands answer what it says to look for. */
class DocumentedDebuggingTest {
    private static final Pattern COMMAND =
            Pattern.compile("^curl -s (-X POST -H 'x-lychgate-admin: me' )?'?http://127.0.0.1:8081(/[^']*)'?$");
    private static final Pattern WANTED = Pattern.compile("`([^`]+)`");

    @TempDir
    Path home = Path.of("");

    private final Gate gate = new Gate();
    private final ScriptedOrigin well =
            ScriptedOrigin.start().onConnection(c -> c.answerEvery(r -> Answers.ok("well")));
    private final ScriptedOrigin broken =
            ScriptedOrigin.start().onConnection(c -> c.answerEvery(r -> Answers.of(500, "broken")));
    private final ScriptedOrigin slow = ScriptedOrigin.start()
            .onConnection(c -> c.answerEvery((request, connection) -> {
                connection.stallUntil(gate);
                connection.send(Answers.ok("at last"));
            }));
    private FileGateway gateway;

    @SuppressWarnings("NullAway.Init") // by begin
    DocumentedDebuggingTest() {}

    @BeforeEach
    void begin() throws Exception {
        Path filter = home.resolve("filters/inbound/ponder.groovy");
        Files.createDirectories(filter.getParent());
        Files.writeString(filter, """
                filter {
                    if (it.request.path.startsWith('/ponder')) {
                        long end = System.nanoTime() + 60_000_000
                        while (System.nanoTime() < end) { }
                    }
                }
                """);
        Files.writeString(home.resolve("gateway.yml"), """
                workers: 1
                listeners: [{ name: main, address: "127.0.0.1:0" }]
                admin: { address: "127.0.0.1:0" }
                recorder: { slow: 50ms, log: false }
                filters: { directory: filters, guard: { after: 20ms } }
                routes:
                  - { id: beta, match: { path: "/shop/**", headers: { x-beta: "yes" } }, upstream: api }
                  - { id: api, match: { path: "/**" }, upstream: api }
                  - { id: reports, match: { path: "/reports/**" }, upstream: reports }
                upstreams:
                  api: { endpoints: ["http://127.0.0.1:%d", "http://127.0.0.1:%d"], balance: { algorithm: round-robin } }
                  reports: { endpoints: ["http://127.0.0.1:%d"], pool: { connections: 1 } }
                access-log: { format: off }
                """.formatted(well.port(), broken.port(), slow.port()));
        gateway = FileGateway.start(home.resolve("gateway.yml"), name -> null);
    }

    @AfterEach
    void end() {
        gate.open();
        gateway.gateway().close();
        gateway.close();
        well.close();
        broken.close();
        slow.close();
    }

    private static RawClient to(int port) throws IOException {
        return RawClient.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    }

    private void ask(String path, int times) throws Exception {
        try (RawClient client = to(gateway.gateway().port("main"))) {
            for (int i = 0; i < times; i++) {
                client.get(path);
            }
        }
    }

    private String run(String line) throws Exception {
        Matcher curl = COMMAND.matcher(line);
        assertThat(curl.matches()).as(line).isTrue();
        String target = curl.group(2).replace("9002", Integer.toString(broken.port()));
        try (RawClient admin = to(gateway.gateway().adminPort())) {
            RawMessage answer = admin.send((curl.group(1) == null ? "GET " : "POST ") + target
                            + " HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 0\r\nx-lychgate-admin: me\r\n\r\n")
                    .readResponse();
            assertThat(answer.status()).as(line).isEqualTo(200);
            return answer.body();
        }
    }

    /** The commands of a section are given again and again, in their order, until they answer what is to be looked for. */
    private void follow(String section) throws Exception {
        String page = Files.readString(Path.of("..", "docs", "debugging.md"));
        int begin = page.indexOf("# " + section + "\n");
        assertThat(begin).as(section).isNotNegative();
        int end = page.indexOf("\n## ", begin);
        String text = page.substring(begin, end < 0 ? page.length() : end);
        for (String step : text.split("(?m)^```sh\\n", -1)) {
            int close = step.indexOf("```");
            if (close < 0) {
                continue;
            }
            List<String> commands = step.substring(0, close).lines().toList();
            List<String> wanted = wanted(step.substring(close));
            eventually(() -> {
                StringBuilder answers = new StringBuilder();
                for (String command : commands) {
                    answers.append(run(command));
                }
                wanted.forEach(word -> assertThat(answers.toString()).contains(word));
            });
        }
    }

    private List<String> wanted(String text) {
        List<String> wanted = new ArrayList<>();
        int look = text.indexOf("Look for");
        if (look >= 0) {
            int colon = text.indexOf("`:", look);
            int end = colon >= 0 ? colon + 1 : text.indexOf("`.", look) + 1;
            WANTED.matcher(text.substring(look, end))
                    .results()
                    .forEach(word -> wanted.add(word.group(1).replace("9002", Integer.toString(broken.port()))));
            assertThat(wanted).isNotEmpty();
        }
        return wanted;
    }

    private Thread aside(String path) {
        Thread thread = new Thread(() -> {
            try {
                ask(path, 1);
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });
        thread.start();
        return thread;
    }

    @Test
    void theFirstLookIsAnswered() throws Exception {
        ask("/x", 4);
        follow("Woken at night");
    }

    @Test
    void oneEndpointFails() throws Exception {
        ask("/x", 10);
        follow("A part of the requests fails");
        ask("/x", 1);
        int before = broken.requestsSeen();
        ask("/x", 6);
        assertThat(broken.requestsSeen()).as("nothing goes there any more").isEqualTo(before);
    }

    @Test
    void theOriginIsSlow() throws Exception {
        Thread caller = aside("/reports/a");
        slow.awaitRequests(1);
        Thread.sleep(60);
        gate.open();
        caller.join();
        follow("Everything on one route is slow");
    }

    @Test
    void thePoolIsTooSmall() throws Exception {
        Thread first = aside("/reports/a");
        slow.awaitRequests(1);
        Thread second = aside("/reports/b");
        eventually(() -> assertThat(run("curl -s http://127.0.0.1:8081/pools")).contains("\"pending\":1"));
        Thread.sleep(60);
        gate.open();
        first.join();
        second.join();
        follow("Requests wait, and the origin has nothing to do");
    }

    @Test
    void aFilterHoldsTheLoop() throws Exception {
        ask("/ponder", 6);
        follow("The whole gateway stutters");
    }

    @Test
    void anotherRouteMatches() throws Exception {
        follow("The wrong service answers");
    }
}
