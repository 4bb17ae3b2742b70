package dev.lychgate;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.server.Main;
import dev.lychgate.server.reload.FileGateway;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.RawMessage;
import dev.lychgate.testing.Responses;
import dev.lychgate.testing.ScriptedOrigin;
import java.io.BufferedReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Machines on which the libraries of zstd and br can't be loaded, as in docs/compression.md; in a JVM without a directory for
 * them.
 */
@Tag("slow")
class MissingLibrariesTest {
    @TempDir
    @SuppressWarnings("NullAway.Init") // by JUnit
    private Path directory;

    /** Runs a gateway until its input ends. */
    static final class Served {
        private Served() {}

        public static void main(String[] args) throws Exception {
            try (FileGateway<Lychgate> gateway = FileGateway.start(Path.of(args[0]), name -> null, Lychgate::start)) {
                System.out.println("port " + gateway.gateway().port("main"));
                int end = System.in.read();
                gateway.gateway().close();
                System.out.println("ended " + end);
            }
        }
    }

    private Process start(Class<?> main, String... args) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                // A directory can't be created below a file. Elsewhere Netty would create it.
                "-Djava.io.tmpdir=" + directory.resolve("gateway.yml").resolve("tmp"),
                "-cp",
                System.getProperty("surefire.test.class.path", System.getProperty("java.class.path", "")),
                main.getName()));
        command.addAll(List.of(args));
        return new ProcessBuilder(command).redirectErrorStream(true).start();
    }

    private String configuration(String filters, int port) throws Exception {
        return Files.writeString(directory.resolve("gateway.yml"), """
                        listeners: [{ name: main, address: "127.0.0.1:0" }]
                        filters: { global: [%s] }
                        routes: [{ id: all, upstream: all }]
                        upstreams: { all: { endpoints: ["http://127.0.0.1:%d"] } }
                        """.formatted(filters, port))
                .toString();
    }

    @Test
    void theirCodingsAreDisabledWithOneLogLine() throws Exception {
        String text = "All work and no play makes Jack a dull boy. ".repeat(100);
        try (ScriptedOrigin origin =
                ScriptedOrigin.answering((request, c) -> c.send(Responses.of(200, text, "Content-Type: text/plain")))) {
            Process process = start(Served.class, configuration("compress, decompress", origin.port()));
            List<String> said = new ArrayList<>();
            try (BufferedReader out = process.inputReader(UTF_8)) {
                String line = out.readLine();
                for (; line != null && !line.startsWith("port "); line = out.readLine()) {
                    said.add(line);
                }
                assertThat(line).as(String.join("\n", said)).isNotNull();
                int port = Integer.parseInt(String.valueOf(line).substring("port ".length()));
                try (RawClient client =
                        RawClient.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port))) {
                    RawMessage response = client.within(Duration.ofMinutes(1))
                            .send("GET / HTTP/1.1\r\nHost: a.test\r\n"
                                    + "Accept-Encoding: zstd, br, gzip;q=0.1\r\n\r\n")
                            .readResponse();
                    assertThat(response.value("content-encoding")).contains("gzip");
                    for (String coding : List.of("zstd", "br")) {
                        RawMessage refused = client.send("POST / HTTP/1.1\r\nHost: a.test\r\nContent-Encoding: "
                                        + coding + "\r\nContent-Length: 4\r\n\r\nabcd")
                                .readResponse();
                        assertThat(refused.status()).isEqualTo(415);
                        assertThat(refused.value("accept-encoding")).contains("gzip, deflate");
                    }
                }
                process.outputWriter().close();
                out.lines().forEach(said::add);
            } finally {
                process.destroyForcibly();
            }
            for (String coding : List.of("zstd", "br")) {
                assertThat(said)
                        .filteredOn(
                                line -> line.contains("coding " + coding + " is disabled: its library can't be loaded"))
                        .hasSize(1);
            }
        }
    }

    @Test
    void aListWithAMissingCodingIsRefused() throws Exception {
        for (String coding : List.of("zstd", "br")) {
            Process process = start(
                    Main.class,
                    "check",
                    "--config",
                    configuration("{ compress: { codings: [gzip, " + coding + "] } }", 1));
            try (BufferedReader out = process.inputReader(UTF_8)) {
                assertThat(String.join("\n", out.lines().toList()))
                        .contains("gateway.yml:2:")
                        .contains(coding + " (expected: a coding with a library that can be loaded on this machine)");
                assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
                assertThat(process.exitValue()).isEqualTo(78);
            } finally {
                process.destroyForcibly();
            }
        }
    }
}
