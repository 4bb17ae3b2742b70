package dev.lychgate.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.config.GatewayConfig;
import dev.lychgate.server.engine.StartException;
import dev.lychgate.server.yaml.ConfigReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code lychgate init} writes a configuration, asks questions, and refuses unusable values. */
class InitCommandTest {
    private final Terminal terminal = new Terminal();
    private Path dir = Path.of("");
    private Path file = Path.of("");

    @BeforeEach
    void choose(@TempDir Path fresh) {
        dir = fresh.resolve("gateway");
        file = dir.resolve("gateway.yml");
    }

    private GatewayConfig written() throws Exception {
        return new ConfigReader(name -> null).read(file).config();
    }

    @Test
    void writesAConfigurationWithAllOptions() throws Exception {
        Path chain = dir.resolveSibling("chain.pem");
        Path key = dir.resolveSibling("key.pem");
        assertThat(terminal.run(
                        "init",
                        dir.toString(),
                        "--listen",
                        "0.0.0.0:8443",
                        "--tls",
                        chain + "," + key,
                        "--upstream",
                        "users=http://10.0.0.1:9000,http://10.0.0.2:9000",
                        "--upstream",
                        "orders=https://orders.test",
                        "--rate-limit",
                        "100/s",
                        "--health",
                        "/health",
                        "--rollout",
                        "--admin",
                        "127.0.0.1:9901"))
                .as(terminal.err())
                .isZero();

        GatewayConfig config = written();
        assertThat(config.listeners().get(0).address()).hasToString("0.0.0.0:8443");
        assertThat(config.listeners().get(0).rateLimit()).containsExactly("clients");
        assertThat(file).content().contains("chain: \"../chain.pem\", key: \"../key.pem\"");
        assertThat(Objects.requireNonNull(config.upstreams().get("users")).endpoints())
                .hasSize(2);
        assertThat(Objects.requireNonNull(config.upstreams().get("orders")).endpoints())
                .hasSize(1);
        assertThat(config.routes()).extracting(route -> route.id()).containsExactly("users", "orders");
        assertThat(file).content().contains("\"/users/**\"", "\"/orders/**\"", "active: { path: \"/health\" }");
        assertThat(config.rollout()).isNotNull();
        assertThat(config.admin()).isNotNull();
        assertThat(dir.resolve("filters")).isDirectory();
        assertThat(terminal.out()).isEqualTo(file + "\nnext: lychgate run --config " + file + "\n");
    }

    @Test
    void oneUpstreamGetsAllRequests() throws Exception {
        assertThat(terminal.run("init", dir.toString(), "--upstream", "api=http://127.0.0.1:9000"))
                .isZero();

        GatewayConfig config = written();
        assertThat(config.listeners().get(0).address()).hasToString("127.0.0.1:8080");
        assertThat(config.listeners().get(0).tls()).isNull();
        assertThat(config.rollout()).isNull();
        assertThat(file).content().contains("{ id: api, match: { path: \"/**\" }, upstream: api }");
        assertThat(config.drain()).isEqualTo(Duration.ofSeconds(30));
    }

    private int answering(String answers) {
        Surroundings usual = terminal.surroundings();
        return LychgateCommand.execute(
                new Surroundings(
                        usual.engine(),
                        usual.environment(),
                        usual.out(),
                        usual.err(),
                        usual.onShutdown(),
                        usual.signals(),
                        new ByteArrayInputStream(answers.getBytes(StandardCharsets.UTF_8))),
                "init",
                dir.toString());
    }

    @Test
    void asksForTheValuesIfNoUpstreamIsGiven() throws Exception {
        assertThat(answering("http://127.0.0.1:9001\napi\n\n\n50/s\n/up\nyes\n"))
                .as(terminal.err())
                .isZero();

        assertThat(terminal.err())
                .contains("Which address do clients connect to? [127.0.0.1:8080] ", "rate limit of each client");
        assertThat(file).content().contains("[\"http://127.0.0.1:9001\"]", "limit: 50/s", "path: \"/up\"", "rollout:");
        assertThat(written().listeners().get(0).address()).hasToString("127.0.0.1:8080");
    }

    @Test
    void withoutAnswersItNamesTheOption() {
        assertThat(answering("")).isEqualTo(64);
        assertThat(terminal.err()).contains("an upstream is missing (expected: --upstream NAME=URL[,URL...])");
        assertThat(file).doesNotExist();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--upstream | api | --upstream: api (expected: NAME=URL[,URL...]",
                "--upstream | a b=http://a | --upstream: a b=http://a (expected",
                "--upstream | api=ftp://a | --upstream: ftp://a (",
                "--listen | 8080x | --listen: 8080x (",
                "--admin | :x | --admin: :x (",
                "--tls | chain.pem | --tls: chain.pem (expected: CHAIN,KEY)",
                "--rate-limit | many | --rate-limit: many (",
                "--health | up | --health: up (expected: a path that begins with /)",
            })
    void refusesValuesThatCannotBeUsed(String option, String value, String message) {
        assertThat(terminal.run("init", dir.toString(), "--upstream", "b=http://127.0.0.1:1", option, value))
                .isEqualTo(64);
        assertThat(terminal.err()).contains(message);
        assertThat(file).doesNotExist();
    }

    @Test
    void overwritesNoFile() throws IOException {
        Files.createDirectories(dir);
        Files.writeString(file, "mine");
        assertThat(terminal.run("init", dir.toString(), "--upstream", "b=http://127.0.0.1:1"))
                .isEqualTo(1);
        assertThat(terminal.err()).isEqualTo("lychgate: init: " + file + " already exists\n");
        assertThat(file).content().isEqualTo("mine");
    }

    @Test
    void removesAFileThatAGatewayWouldRefuse() {
        terminal.cannotStart = new StartException("the certificate has expired");
        assertThat(terminal.run("init", dir.toString(), "--upstream", "b=http://127.0.0.1:1"))
                .isNotZero();
        assertThat(terminal.err()).contains("the certificate has expired");
        assertThat(file).doesNotExist();
    }
}
