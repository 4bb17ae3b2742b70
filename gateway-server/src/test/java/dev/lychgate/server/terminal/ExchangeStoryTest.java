package dev.lychgate.server.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ExchangeStoryTest {
    private static final String RETRIED = """
            {"reason":"slow","time":"2026-01-01T12:00:00.000123Z","id":"5f0c1d2e3f4a5b6c00000001","method":"GET",
            "host":"shop.example","path":"/api/orders","protocol":"HTTP/1.1","status":200,"route":"api","listener":"main",
            "client":"127.0.0.1","generation":3,"request_bytes":0,"response_bytes":512,"ms":1204.112,
            "phases":{"inbound":0.041,"attempts":1001.2,"connection":0.0,"origin":202.6,"outbound":0.0,"body":0.271},
            "filters":[{"filter":"request-id","stage":"global","at":0.012,"ms":0.004,"outcome":"proceed"},
            {"filter":"stamp","stage":"outbound","at":1203.841,"ms":0.0,"outcome":"fail filter-failed"}],
            "attempts":[{"upstream":"api","endpoint":"10.0.0.1:9000","at":0.041,"ms":1001.1,"connection_ms":0.0,
            "reused":true,"failure":"response-timeout"},{"upstream":"eu","endpoint":"10.0.0.2:9000","again":"retry",
            "at":1001.241,"ms":202.9,"connection_ms":0.0,"reused":true,"answered_at":1203.841,"status":200}]}
            """;

    private static final String UNSENT = """
            {"reason":"failed","time":"2026-01-01T12:00:00Z","id":"a1","method":"GET","host":"h","path":"/x","status":503,
            "route":"api","listener":"main","client":"::1","generation":1,"request_bytes":0,"response_bytes":7,
            "error":"circuit-open","side":"local","detail":"the circuit of api is open","ms":0.0,
            "phases":{"inbound":0.0,"body":0.0},
            "filters":[{"filter":"stamp","stage":"outbound","at":0.0,"ms":0.0,"outcome":"proceed"}],
            "attempts":[{"upstream":"api","endpoint":"10.0.0.1:9000","at":0.0,"ms":0.0,"failure":"circuit-open"}]}
            """;

    private static final String WEB_SOCKET = """
            {"reason":"sampled","time":"2026-01-01T12:00:00Z","id":"w1","trace":"4bf92f3577b34da6a3ce929d0e0e4736",
            "method":"GET","host":"h","path":"/chat","protocol":"HTTP/1.1","status":101,"route":"chat","listener":"main",
            "client":"::1","generation":1,"request_bytes":10,"response_bytes":20,"websocket_end":"idle","ms":3600000.25,
            "phases":{"inbound":0.1,"connection":1.4,"connect":1.3,"origin":3.5,"outbound":0.0,"body":3599995.25},
            "filters":[],"attempts":[{"upstream":"chat","endpoint":"[::1]:9000","at":0.1,"ms":3600000.15,
            "connection_ms":1.4,"reused":false,"connect_ms":1.3,"answered_at":5.0,"status":101}]}
            """;

    private static String told(String story) throws IOException {
        return told(story, 80);
    }

    private static String told(String story, int width) throws IOException {
        return String.join("\n", ExchangeStory.lines(JsonValue.of(story), width)) + "\n";
    }

    @Test
    void phasesFiltersAndAttemptsAreDrawnOnOneTimeScale() throws IOException {
        assertThat(told(RETRIED)).isEqualTo("""
                GET shop.example/api/orders 200, route api, upstream eu, 2026-01-01T12:00:00.000123Z, 1204.112 ms
                id 5f0c1d2e3f4a5b6c00000001, slow, from 127.0.0.1 by main, HTTP/1.1, generation 3, 0 bytes in, 512 out

                                                                 start ms        ms
                inbound                =                            0.000     0.041
                  request-id           =                            0.012     0.004 proceed
                attempts               ====================         0.041  1001.200
                  attempt 1            ====================         0.041  1001.100
                    api 10.0.0.1:9000, reused connection, response-timeout
                connection                                 |     1001.241     0.000
                origin                                     ====  1001.241   202.600
                  attempt 2                                ====  1001.241   202.900 retry
                    eu 10.0.0.2:9000, reused connection, status 200 at 1203.841 ms
                outbound                                      |  1203.841     0.000
                body                                          =  1203.841     0.271
                  stamp                                       |  1203.841     0.000 fail filter-failed
                """);
    }

    @Test
    void callOutsAreDrawnWithTheirAttempts() throws IOException {
        String calling = UNSENT.replace("\"ms\":0.0,", "\"ms\":10.0,").replace("\"attempts\":[", """
                        "calls":[{"upstream":"users","method":"GET","path":"/ada","at":1.0,"ms":4.0,"status":200,
                        "attempts":[{"upstream":"users","endpoint":"10.0.0.3:80","at":1.0,"ms":4.0,"connection_ms":0.0,
                        "reused":true,"answered_at":4.5,"status":200}]},{"upstream":"plans","method":"GET",
                        "path":"/1","at":1.0,"ms":9.0,"failure":"response-timeout","attempts":[]}],
                        "attempts":[""");
        assertThat(told(calling)).contains("""
                    call users           ==========                 1.000     4.000 status 200
                    GET /ada
                    call plans           ======================     1.000     9.000 response-timeout
                    GET /1
                      attempt 1          ==========                 1.000     4.000
                    users 10.0.0.3:80, reused connection, status 200 at 4.500 ms
                """);
    }

    @Test
    void aWiderTerminalHasLongerBarsAndNames() throws IOException {
        assertThat(told(RETRIED, 110)).contains("""
                inbound                          =                                                0.000     0.041
                  request-id                     =                                                0.012     0.004 proceed
                attempts                         =====================================            0.041  1001.200
                  attempt 1                      =====================================            0.041  1001.100
                """);
    }

    @Test
    void aStepWithoutADurationIsDrawn() throws IOException {
        assertThat(told(UNSENT)).isEqualTo("""
                GET h/x 503, route api, upstream api, 2026-01-01T12:00:00Z, 0.000 ms
                id a1, failed, from ::1 by main, generation 1, 0 bytes in, 7 out

                                                                 start ms        ms
                inbound                |                            0.000     0.000
                body                   |                            0.000     0.000
                  attempt 1            |                            0.000     0.000
                    api 10.0.0.1:9000, no connection, circuit-open
                  stamp                |                            0.000     0.000 proceed

                error: circuit-open (local): the circuit of api is open
                """);
    }

    @Test
    void aWebSocketOfAnHourHasItsHandshakeAndItsEnd() throws IOException {
        assertThat(told(WEB_SOCKET)).isEqualTo("""
                GET h/chat 101, route chat, upstream chat, 2026-01-01T12:00:00Z, 3600000.250 ms
                id w1, trace 4bf92f3577b34da6a3ce929d0e0e4736, sampled, from ::1 by main, HTTP/1.1, generation 1, 10 bytes in, 20 out

                                                               start ms          ms
                inbound                =                          0.000       0.100
                connection             =                          0.100       1.400
                  attempt 1            ====================       0.100 3600000.150
                    chat [::1]:9000, new connection after 1.400 ms, status 101 at 5.000 ms
                  connect              =                          0.200       1.300
                origin                 =                          1.500       3.500
                outbound               |                          5.000       0.000
                body                   ====================       5.000 3599995.250

                websocket ended: idle
                """);
    }

    @Test
    void missingValuesAreOmitted() throws IOException {
        assertThat(told("{\"reason\":\"failed\",\"id\":\"b\",\"listener\":\"main\",\"client\":\"::1\",\"status\":0}"))
                .startsWith("(no HTTP request) ---, route -, upstream -, ")
                .contains("id b, failed, from ::1 by main, generation 0, 0 bytes in, 0 out")
                .doesNotContain("=")
                .doesNotContain("null");
    }

    @Test
    void eachOfHundredsOfFiltersIsOneLine() throws IOException {
        String filters = IntStream.range(0, 400)
                .mapToObj(i -> String.format(
                        Locale.ROOT,
                        "{\"filter\":\"f-%d\",\"at\":%.3f,\"ms\":0.5,\"outcome\":\"proceed\"}",
                        i,
                        i / 2.0))
                .collect(Collectors.joining(","));
        List<String> lines = ExchangeStory.lines(
                JsonValue.of("{\"ms\":200.0,\"phases\":{\"inbound\":200.0},\"filters\":[" + filters + "]}"), 80);

        List<String> drawn = lines.stream().filter(line -> line.contains(" f-")).toList();
        assertThat(drawn).hasSize(400).allMatch(line -> line.length() <= 80).allMatch(line -> line.contains("="));
        assertThat(drawn.get(399)).startsWith("  f-399 ").contains(" 199.500 ");
        assertThat(lines.get(4)).startsWith("inbound ").contains("=".repeat(24));
    }

    @Test
    void invalidTimesStayWithinTheLine() throws IOException {
        String story = told("{\"ms\":1.0,\"phases\":{\"inbound\":1.0},\"filters\":["
                + "{\"filter\":\"late\",\"at\":9.0,\"ms\":1.0},{\"filter\":\"early\",\"at\":-5.0,\"ms\":1.0}]}");
        assertThat(story.lines()).allMatch(line -> line.length() <= 80);
        assertThat(story).contains("  early ", "  late ");
    }

    @Test
    void controlCharactersFromTheNetworkAreEscaped() throws IOException {
        String path = "/\\u001b[2J\\r\\nx\\u009b1m\\u202e\\\\u0041";
        String story = "{\"method\":\"GET\",\"host\":\"h\",\"path\":\"" + path
                + "\",\"error\":\"reset\",\"detail\":\"\\u0007\","
                + "\"phases\":{\"\\u001b[0m\":1},\"filters\":[{\"filter\":\"\\u001b]0;x\"}],"
                + "\"attempts\":[{\"endpoint\":\"\\u0000\",\"failure\":\"\\n\"}]}";
        String told = told(story) + ExchangeStory.line(JsonValue.of(story));

        assertThat(told.replace("\n", "").chars()).allMatch(c -> c >= 0x20 && c < 0x7f);
        assertThat(told).contains("GET h/\\u001b[2J\\u000d\\u000ax\\u009b1m\\u202e\\\\u0041");
    }

    @Test
    void theExampleOnThePageMatchesTheOutput() throws IOException {
        String page = Files.readString(Path.of("..", "docs", "tracing.md"));
        String story = page.lines()
                .filter(line -> line.startsWith("{\"reason\":"))
                .findFirst()
                .orElseThrow();

        assertThat(page).contains("```\n" + told(story) + "```\n");
    }

    @Test
    void inAListItIsOneLine() throws IOException {
        assertThat(ExchangeStory.line(JsonValue.of(RETRIED)))
                .isEqualTo(
                        "12:00:00 slow    200    1204.1 ms 5f0c1d2e3f4a5b6c00000001 api - GET shop.example/api/orders");
        assertThat(ExchangeStory.line(JsonValue.of(UNSENT)))
                .isEqualTo("12:00:00 failed  503       0.0 ms a1 api circuit-open GET h/x");
    }
}
