package dev.lychgate.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.lychgate.testing.Eventually;
import dev.lychgate.testing.Launcher;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.RawMessage;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarFile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The packed extension in gateways that {@code bin/lychgate} has started; runs after packaging. */
class RedisIT {
    private static final Path EXTENSION = Launcher.ROOT.resolve("extensions/redis/target/redis.jar");
    private static final Duration LONGEST = Duration.ofSeconds(60);

    @TempDir
    Path home = Path.of("");

    private Launcher launcher() {
        return new Launcher(home, "192m");
    }

    private static RawMessage get(int port, String target) throws Exception {
        try (RawClient client = RawClient.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port))) {
            return client.send("GET " + target + " HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
                    .readResponse();
        }
    }

    @Test
    void twoGatewaysShareALimitThroughRedis() throws Exception {
        assumeTrue(RedisServer.isInstalled(), RedisServer.MISSING);
        try (RedisServer server = RedisServer.start()) {
            Files.writeString(home.resolve("gateway.yml"), """
                    listeners: [{ name: main, address: "127.0.0.1:0" }]
                    admin: { address: "127.0.0.1:0" }
                    extensions: { redis: { endpoints: "%s", timeout: 1s } }
                    rate-limits:
                      few-1: { limit: 6/h, scope: fleet, on-loss: closed, max-keys: 1000 }
                      few-2: { limit: 6/h, scope: fleet, on-loss: closed, max-keys: 1000 }
                      few-3: { limit: 6/h, scope: fleet, on-loss: closed, max-keys: 1000 }
                    routes:
                      - { id: one, match: { path: "/1" }, rate-limit: few-1, respond: { status: 204 } }
                      - { id: two, match: { path: "/2" }, rate-limit: few-2, respond: { status: 204 } }
                      - { id: three, match: { path: "/3" }, rate-limit: few-3, respond: { status: 204 } }
                    """.formatted(server.endpoint()));
            List<Process> gateways = new ArrayList<>();
            try {
                List<Path> logs = List.of(home.resolve("log-1"), home.resolve("log-2"));
                for (Path log : logs) {
                    gateways.add(launcher()
                            .command("run", "--config", "gateway.yml")
                            .redirectOutput(log.toFile())
                            .start());
                }
                for (Path log : logs) {
                    Launcher.awaitReady(log);
                    int admin = Launcher.port(log, "admin listener on");
                    Eventually.eventually(
                            LONGEST,
                            () -> assertThat(get(admin, "/rate-limits").body()).contains("\"gateways\":2"));
                }
                int one = Launcher.port(logs.get(0), "listening on");
                int another = Launcher.port(logs.get(1), "listening on");
                int admitted = admitted(one, another, "/1");
                for (String other : List.of("/2", "/3")) {
                    assertThat(admitted).isLessThanOrEqualTo(6);
                    if (admitted < 6) {
                        // A busy machine makes Redis late: a decision costs a unit, and Redis is lost for a moment.
                        TimeUnit.SECONDS.sleep(2);
                        admitted = admitted(one, another, other);
                    }
                }
                assertThat(admitted).isEqualTo(6);
                assertThat(launcher()
                                .run(
                                        "limits",
                                        "--admin",
                                        "127.0.0.1:" + Launcher.port(logs.get(0), "admin listener on"))
                                .output())
                        .contains(
                                "few-1: 6/h requests by client, burst 6, fleet",
                                "  exact over 2 gateways, requests to the store ");
            } finally {
                for (Process gateway : gateways) {
                    gateway.destroy();
                }
                for (Process gateway : gateways) {
                    assertThat(gateway.waitFor(30, TimeUnit.SECONDS)).isTrue();
                    gateway.destroyForcibly();
                }
            }
            assertThat(server.call("ZCARD lychgate:gateways")).startsWith(":0");
        }
    }

    private static int admitted(int one, int another, String target) throws Exception {
        int admitted = 0;
        for (int i = 0; i < 6; i++) {
            admitted += get(one, target).status() == 204 ? 1 : 0;
            admitted += get(another, target).status() == 204 ? 1 : 0;
        }
        return admitted;
    }

    private static String block(String page, String fence) throws Exception {
        Matcher block = Pattern.compile("```" + fence + "\n(.*?)```", Pattern.DOTALL)
                .matcher(Files.readString(Launcher.ROOT.resolve("docs/" + page)));
        assertThat(block.find()).isTrue();
        return block.group(1);
    }

    @Test
    void theDocumentedConfigurationsAreAcceptedWithoutRedis() throws Exception {
        Files.writeString(home.resolve("redis.password"), "s3cret\n");
        for (String yaml : List.of(block("rate-limits.md", "yaml fleet"), block("redis.md", "yaml redis"))) {
            Files.writeString(home.resolve("gateway.yml"), yaml);
            assertThat(launcher().run("check", "--config", "gateway.yml")).isEqualTo(new Launcher.Ended(0, "ok\n"));
        }
        Files.writeString(
                home.resolve("gateway.yml"), block("redis.md", "yaml redis").replace("master: limits", "tls: true"));
        assertThat(launcher().run("check", "--config", "gateway.yml").output())
                .contains("gateway.yml:5:16: extensions.redis.endpoints: ")
                .contains("(expected: one address, or several addresses together with master or with cluster: true)");
        assertThat(launcher().run("extensions").output())
                .containsPattern("redis \\d+\\.\\d+\\.\\d+")
                .contains(EXTENSION.toString());
    }

    @Test
    void itsLibrariesAreInItsOwnJarAlone() throws Exception {
        try (JarFile extension = new JarFile(EXTENSION.toFile());
                JarFile gateway = new JarFile(Launcher.ROOT
                        .resolve("gateway-server/target/lychgate.jar")
                        .toFile())) {
            assertThat(extension.stream().map(entry -> entry.getName()).filter(entry -> entry.endsWith(".class")))
                    .as("as META-INF/NOTICE has it")
                    .allMatch(entry -> entry.matches("(io/lettuce|reactor|dev/lychgate/redis)/.*"));
            assertThat(extension.getEntry("META-INF/NOTICE")).isNotNull();
            assertThat(extension.getEntry("META-INF/LICENSE")).isNotNull();
            assertThat(gateway.stream().map(entry -> entry.getName()))
                    .noneMatch(entry -> entry.startsWith("io/lettuce/") || entry.startsWith("dev/lychgate/redis/"));
        }
    }
}
