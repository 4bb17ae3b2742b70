package dev.lychgate.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.server.terminal.JsonValue;
import dev.lychgate.testing.Responses;
import dev.lychgate.testing.ScriptedOrigin;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code lychgate bench} against origins with known delays. */
@Tag("slow")
class BenchCommandTest {
    private final Terminal terminal = new Terminal();

    private static String url(ScriptedOrigin origin) {
        return "http://127.0.0.1:" + origin.port() + "/";
    }

    @Test
    void sendsTheRequestsOfTheRateAndPrintsPercentiles() {
        try (ScriptedOrigin origin = ScriptedOrigin.answering((request, c) -> c.send(Responses.ok("hello")))) {
            int code = terminal.run("bench", url(origin), "--rate", "50", "--seconds", "2", "--warmup", "0");

            assertThat(code).as(terminal.out() + terminal.err()).isZero();
            assertThat(terminal.out())
                    .startsWith(url(origin) + ": 100 responses at 50 requests/s\n")
                    .containsPattern("  p50 [0-9.]+ms  p90 [0-9.]+ms  p99 [0-9.]+ms  p99\\.9 [0-9.]+ms  longest");
            assertThat(origin.requestsSeen()).isEqualTo(100);
        }
    }

    /** While the origin stalls, further requests become due. Their latency includes the stall. */
    @Test
    void theLatencyOfRequestsThatWaitForAStalledServiceIncludesTheWait() throws Exception {
        AtomicInteger requests = new AtomicInteger();
        try (ScriptedOrigin origin = ScriptedOrigin.answering((request, c) -> {
            if (requests.incrementAndGet() <= 20) {
                Thread.sleep(400);
            }
            c.send(Responses.ok("hello"));
        })) {
            assertThat(terminal.run("bench", url(origin), "--rate", "100", "--seconds", "1", "--warmup", "0", "--json"))
                    .as(terminal.out() + terminal.err())
                    .isZero();

            JsonValue result = JsonValue.of(terminal.out()).list("results").get(0);
            assertThat(result.number("responses")).isEqualTo(100);
            assertThat(result.number("p90_micros")).isGreaterThan(390_000);
        }
    }

    @Test
    void comparesTwoUrlsInTurns() {
        try (ScriptedOrigin slow = ScriptedOrigin.answering((request, c) -> {
                    Thread.sleep(60);
                    c.send(Responses.ok("slow"));
                });
                ScriptedOrigin fast = ScriptedOrigin.answering((request, c) -> c.send(Responses.ok("fast")))) {
            assertThat(terminal.run(
                            "bench",
                            url(slow),
                            "--compare",
                            url(fast),
                            "--rate",
                            "20",
                            "--seconds",
                            "5",
                            "--warmup",
                            "0"))
                    .as(terminal.out() + terminal.err())
                    .isZero();

            assertThat(slow.requestsSeen()).isEqualTo(100);
            assertThat(fast.requestsSeen()).isEqualTo(100);
            assertThat(terminal.out()).contains("added by the first URL:  p50 ");
        }
    }

    @Test
    void failuresAreCountedByReasonAndSetTheExitCode() {
        try (ScriptedOrigin origin = ScriptedOrigin.answering(
                (request, c) -> c.send("HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n"))) {
            assertThat(terminal.run("bench", url(origin), "--rate", "20", "--seconds", "1", "--warmup", "0"))
                    .isEqualTo(1);
            assertThat(terminal.out()).contains(": 0 responses", "failed: 20 503");
        }
        Terminal refused = new Terminal();
        assertThat(refused.run("bench", "http://127.0.0.1:1/", "--rate", "20", "--seconds", "1", "--warmup", "0"))
                .isEqualTo(1);
        assertThat(refused.out()).contains("failed: 20 connection");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "ftp://a | --rate | 1 | URL: ftp://a (expected: a URL that begins with http:// or https://)",
                "http://a | --rate | 0 | --rate: 0 (expected: 1 to 20000)",
                "http://a | --seconds | 0 | --seconds: 0 (expected: 1 to 86400)",
                "http://a | --timeout | 0 | --timeout: 0 (expected: 1 to 3600)",
                "http://a | --compare | b | --compare: b (expected: a URL",
                "http://a | --cacert | /missing.pem | --cacert: /missing.pem: there is no such file (expected: ",
            })
    void refusesOptionsThatCannotBeUsed(String url, String option, String value, String message) {
        assertThat(terminal.run("bench", url, option, value)).isEqualTo(64);
        assertThat(terminal.err()).contains(message);
    }
}
