package dev.lychgate.perf.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.server.origin.DemoOrigin;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.IntBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OpenLoopTest {
    @TempDir
    Path directory = Path.of("");

    @Test
    void sendsAtItsRateAndRecordsOnlyWhatFollowsTheWarmUp() throws Exception {
        try (DemoOrigin origin = DemoOrigin.start()) {
            OpenLoop.Result result = run(origin, "/?length=10000", 4, 200, 0.5, 1);

            assertCounts(result, 300, 0, 0);
            assertThat(origin.requests()).isEqualTo(300);
            assertThat(latencies()).hasSize(200).doesNotContain(0);
            assertThat(result.late()).isBetween(0, 200);
        }
    }

    @Test
    void latencyCountsFromWhenARequestWasDueNotFromWhenAConnectionWasFree() throws Exception {
        try (DemoOrigin origin = DemoOrigin.start()) {
            // The one connection can do twenty a second, and forty are due: the last one waits for about a second.
            OpenLoop.Result result = run(origin, "/?length=1&delay=50", 1, 40, 0, 1);

            assertCounts(result, 40, 0, 0);
            assertThat(Arrays.stream(latencies()).max().orElse(0)).isGreaterThan(900_000);
        }
    }

    @Test
    void anotherStatusThan200IsAFailureAndAsSlowAsCanBe() throws Exception {
        try (DemoOrigin origin = DemoOrigin.start()) {
            OpenLoop.Result result = run(origin, "/?length=1&status=503", 1, 20, 0, 0.5);

            assertCounts(result, 10, 10, 0);
            assertThat(latencies()).containsOnly(10_000_000);
        }
    }

    @Test
    void connectionThatIsClosedBehindItsAnswerIsReplaced() throws Exception {
        try (DemoOrigin origin = DemoOrigin.start()) {
            OpenLoop.Result result = run(origin, "/?length=1&close=true", 2, 50, 0, 1);

            assertCounts(result, 50, 0, 0);
        }
    }

    /** Apart from how late the generator was, which is the machine's affair. */
    private static void assertCounts(OpenLoop.Result result, long sent, int failed, long unanswered) {
        assertThat(result.sent()).isEqualTo(sent);
        assertThat(result.failed()).isEqualTo(failed);
        assertThat(result.unanswered()).isEqualTo(unanswered);
    }

    private OpenLoop.Result run(
            DemoOrigin origin, String path, int connections, double rate, double warmup, double seconds)
            throws Exception {
        return OpenLoop.run(
                String.valueOf(origin.port()),
                path,
                String.valueOf(connections),
                String.valueOf(rate),
                String.valueOf(warmup),
                String.valueOf(seconds),
                file().toString());
    }

    private Path file() {
        return directory.resolve("latencies");
    }

    private int[] latencies() throws IOException {
        IntBuffer numbers = ByteBuffer.wrap(Files.readAllBytes(file())).asIntBuffer();
        int[] micros = new int[numbers.remaining()];
        numbers.get(micros);
        return micros;
    }

    /** The jar of the benchmarks has no classes of gateway-server, which is on the class path of these tests. */
    @ParameterizedTest
    @ValueSource(classes = {OpenLoop.class, Exchanges.class})
    void runsWithoutTheClassesOfTheServer(Class<?> type) throws IOException {
        try (InputStream in = Objects.requireNonNull(type.getResourceAsStream(type.getSimpleName() + ".class"))) {
            assertThat(new String(in.readAllBytes(), StandardCharsets.ISO_8859_1))
                    .doesNotContain("dev/lychgate/server/");
        }
    }
}
