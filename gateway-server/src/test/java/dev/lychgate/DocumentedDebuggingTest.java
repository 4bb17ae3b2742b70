package dev.lychgate;

import static dev.lychgate.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.RawMessage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs each section of docs/debugging.md: with the fault, its commands print the documented symptoms. */
@Tag("slow")
class DocumentedDebuggingTest {
    private static final Pattern COMMAND =
            Pattern.compile("^curl -s (-X POST -H 'x-lychgate-admin: me' )?'?http://127.0.0.1:8081(/[^']*)'?$");
    private static final Pattern WANTED = Pattern.compile("`([^`]+)`");

    @TempDir
    Path home = Path.of("");

    @SuppressWarnings("NullAway.Init") // by begin
    private FaultyGateway faulty;

    @SuppressWarnings("NullAway.Init") // by begin
    DocumentedDebuggingTest() {}

    @BeforeEach
    void begin() throws Exception {
        faulty = FaultyGateway.start(home);
    }

    @AfterEach
    void end() {
        faulty.close();
    }

    private String run(String line) throws Exception {
        Matcher curl = COMMAND.matcher(line);
        assertThat(curl.matches()).as(line).isTrue();
        String target = curl.group(2).replace("9002", Integer.toString(faulty.broken.port()));
        try (RawClient admin = FaultyGateway.to(faulty.gateway().adminPort())) {
            RawMessage response = admin.send((curl.group(1) == null ? "GET " : "POST ") + target
                            + " HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 0\r\nx-lychgate-admin: me\r\n\r\n")
                    .readResponse();
            assertThat(response.status()).as(line).isEqualTo(200);
            return response.body();
        }
    }

    /** Runs the commands of a section repeatedly, in order, until they print the documented symptoms. */
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
                    .forEach(word -> wanted.add(word.group(1).replace("9002", Integer.toString(faulty.broken.port()))));
            assertThat(wanted).isNotEmpty();
        }
        return wanted;
    }

    @Test
    void theFirstLookIsAnswered() throws Exception {
        faulty.ask("/x", 4);
        follow("Troubleshooting");
    }

    @Test
    void oneEndpointFails() throws Exception {
        faulty.ask("/x", 10);
        follow("Some requests fail");
        faulty.ask("/x", 1);
        int before = faulty.broken.requestsSeen();
        faulty.ask("/x", 6);
        assertThat(faulty.broken.requestsSeen()).as("it gets no more requests").isEqualTo(before);
    }

    @Test
    void theOriginIsSlow() throws Exception {
        Thread caller = faulty.aside("/reports/a");
        faulty.slow.awaitRequests(1);
        Thread.sleep(60);
        faulty.gate.open();
        caller.join();
        follow("Everything on one route is slow");
    }

    @Test
    void thePoolIsTooSmall() throws Exception {
        Thread first = faulty.aside("/reports/a");
        faulty.slow.awaitRequests(1);
        Thread second = faulty.aside("/reports/b");
        eventually(() -> assertThat(run("curl -s http://127.0.0.1:8081/pools")).contains("\"pending\":1"));
        Thread.sleep(60);
        faulty.gate.open();
        first.join();
        second.join();
        follow("Requests wait while the origin is idle");
    }

    @Test
    void aFilterHoldsTheLoop() throws Exception {
        // Repeated, because the watchdog of filters rarely gets the CPU on a busy machine.
        eventually(Duration.ofMinutes(1), () -> {
            faulty.ask("/ponder", 1);
            assertThat(run("curl -s http://127.0.0.1:8081/filters")).contains("\"ejected\":true");
        });
        follow("All requests stall at times");
    }

    @Test
    void anotherRouteMatches() throws Exception {
        follow("Another service responds");
    }
}
