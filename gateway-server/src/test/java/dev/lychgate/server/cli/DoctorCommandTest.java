package dev.lychgate.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.http.Json;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DoctorCommandTest {
    private static final Pattern ROW = Pattern.compile("^\\| `([a-z-]+)` \\| [^|]+ \\| [^|]+ \\|$", Pattern.MULTILINE);

    @TempDir
    Path home = Path.of("");

    private final Terminal terminal = new Terminal();

    private String file(String routes) throws Exception {
        int free;
        try (ServerSocket socket = new ServerSocket(0)) {
            free = socket.getLocalPort();
        }
        return Files.writeString(home.resolve("gateway.yml"), """
                listeners: [{ name: main, address: "127.0.0.1:%d" }]
                routes: [{ id: all, match: { path: "/**" }, %s }]
                upstreams: { a: { endpoints: ["http://localhost:9000"] } }
                """.formatted(free, routes))
                .toString();
    }

    /** Each line has a topic of the page, in the order of the page. */
    @Test
    void printsALevelATopicAndASentenceForEachCheckOfThePage() throws Exception {
        terminal.run("doctor", "--config", file("upstream: a"));
        List<String> lines = terminal.out().lines().toList();
        assertThat(lines).allMatch(line -> line.matches("(ok|warning|problem) +[a-z-]+ +\\S.*"));
        List<String> topics =
                lines.stream().map(line -> line.split(" +", 3)[1]).distinct().toList();
        List<String> documented = ROW.matcher(Files.readString(Path.of("..", "docs", "doctor.md")))
                .results()
                .map(row -> row.group(1))
                // There are no certificates here, and the configuration has no errors.
                .filter(topic -> !List.of("configuration", "certificates").contains(topic))
                .toList();
        assertThat(topics).containsExactlyElementsOf(documented);
    }

    @Test
    void reportsTheErrorsOfAConfigurationAndFails() throws Exception {
        String file = file("upstream: b");
        assertThat(terminal.run("doctor", "--config", file)).isEqualTo(ExitCode.FAILED);
        assertThat(terminal.out())
                .contains("problem  configuration    " + file + ":2:")
                .contains("routes[0].upstream: b");
    }

    @Test
    void printsJson() throws Exception {
        int code = terminal.run("doctor", "--json", "--config", file("upstream: b"));
        assertThat(code).isEqualTo(ExitCode.FAILED);
        Map<?, ?> all = (Map<?, ?>) Objects.requireNonNull(Json.read(terminal.out()));
        assertThat(all.get("ok")).isEqualTo(false);
        assertThat((List<?>) all.get("findings"))
                .isNotEmpty()
                .allSatisfy(
                        each -> assertThat(((Map<?, ?>) each).keySet()).isEqualTo(Set.of("level", "topic", "text")));
    }
}
