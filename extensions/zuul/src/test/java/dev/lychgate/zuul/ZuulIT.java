package dev.lychgate.zuul;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.testing.Eventually;
import dev.lychgate.testing.Launcher;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.RawMessage;
import dev.lychgate.testing.Responses;
import dev.lychgate.testing.ScriptedOrigin;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The packed extension in a gateway that {@code bin/lychgate} has started, with the files of docs/zuul.md; runs after packaging. */
class ZuulIT {
    private static final Duration LONGEST = Duration.ofSeconds(60);

    @TempDir
    Path home = Path.of("");

    private Launcher launcher() {
        return new Launcher(home, "192m");
    }

    private static String block(String fence) throws Exception {
        Matcher block = Pattern.compile("```" + fence + "\n(.*?)```", Pattern.DOTALL)
                .matcher(Files.readString(Launcher.ROOT.resolve("docs/zuul.md")));
        assertThat(block.find()).isTrue();
        return block.group(1);
    }

    private static RawMessage get(int port, String target) throws Exception {
        try (RawClient client = RawClient.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port))) {
            return client.send("GET " + target + " HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
                    .readResponse();
        }
    }

    @Test
    void runsTheDocumentedFilter() throws Exception {
        Path filters = Files.createDirectories(home.resolve("my-filters/pre"));
        Files.writeString(filters.resolve("Authenticate.groovy"), block("groovy zuul"));
        Files.writeString(home.resolve("gateway.yml"), block("yaml zuul"));
        assertThat(launcher().run("check", "--config", "gateway.yml").output()).startsWith("ok\n");
        try (ScriptedOrigin origin =
                ScriptedOrigin.answering((request, connection) -> connection.send(Responses.ok("origin")))) {
            Files.writeString(
                    home.resolve("gateway.yml"),
                    "admin: { address: \"127.0.0.1:0\" }\n"
                            + block("yaml zuul")
                                    .replace("127.0.0.1:8080", "127.0.0.1:0")
                                    .replace("9000", "" + origin.port()));
            Path log = home.resolve("log");
            Process gateway = launcher()
                    .command("run", "--config", "gateway.yml")
                    .redirectOutput(log.toFile())
                    .start();
            try {
                Launcher.awaitReady(log);
                int port = Launcher.port(log, "listening on");

                // The first run of a filter loads classes, on a busy machine longer than it may run.
                Eventually.eventually(
                        LONGEST, () -> assertThat(get(port, "/").body()).isEqualTo("origin"));
                assertThat(get(port, "/admin/x").status()).isEqualTo(401);
                assertThat(get(port, "/admin/x").body()).isEqualTo("a token is missing");
                assertThat(get(Launcher.port(log, "admin listener on"), "/filters")
                                .body())
                        .contains("pre/Authenticate.groovy")
                        .contains("extension zuul");
            } finally {
                gateway.destroy();
                assertThat(gateway.waitFor(30, TimeUnit.SECONDS)).isTrue();
            }
        }
    }

    @Test
    void refusesTheFilterWithoutTheExtension() throws Exception {
        Path filters = Files.createDirectories(home.resolve("my-filters/pre"));
        Files.writeString(filters.resolve("Authenticate.groovy"), block("groovy zuul"));
        Files.writeString(
                home.resolve("gateway.yml"), block("yaml zuul").replaceFirst("(?s)extensions:.*?routes:", "routes:"));

        assertThat(launcher().run("check", "--config", "gateway.yml").output())
                .contains("pre/Authenticate.groovy:1:8: unable to resolve class com.netflix.zuul.ZuulFilter");
    }

    @Test
    void refusesAMissingFileOfProperties() throws Exception {
        Files.createDirectories(home.resolve("my-filters/pre"));
        Files.writeString(
                home.resolve("gateway.yml"),
                block("yaml zuul").replace("vips:", "properties: legacy.properties\n    vips:"));

        assertThat(launcher().run("check", "--config", "gateway.yml").output())
                .contains("extensions.zuul.properties")
                .contains("a readable file of properties");
    }
}
