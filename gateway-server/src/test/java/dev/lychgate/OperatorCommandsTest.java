package dev.lychgate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.server.cli.LychgateCommand;
import dev.lychgate.server.cli.Signals;
import dev.lychgate.server.cli.Surroundings;
import dev.lychgate.server.engine.DataPlaneEngine;
import dev.lychgate.server.reload.FileGateway;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commands of operators with different roles, for a running gateway. */
@Tag("slow")
class OperatorCommandsTest {
    private static final String VIEWER = "viewer-viewer-viewer";
    private static final String DEPLOY = "deploy-deploy-deploy";

    @TempDir
    Path home = Path.of("");

    private FileGateway<Lychgate> gateway;

    private record Result(int code, String out, String err) {}

    @BeforeEach
    void start() throws Exception {
        gateway = FileGateway.start(
                Files.writeString(home.resolve("gateway.yml"), """
                listeners: [{ name: main, address: "127.0.0.1:0" }]
                admin:
                  address: "127.0.0.1:0"
                  operators:
                    - { name: grafana, token: %s }
                    - { name: deploy, roles: [operator, recorder], token: %s }
                access-log: { format: off }
                """.formatted(VIEWER, DEPLOY)),
                name -> null,
                Lychgate::start);
    }

    @AfterEach
    void end() {
        gateway.gateway().close();
        gateway.close();
    }

    private Result run(String token, String... args) {
        List<String> all = new ArrayList<>(List.of(args));
        all.addAll(List.of("--admin", "127.0.0.1:" + gateway.gateway().adminPort()));
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int code = LychgateCommand.execute(
                new Surroundings(
                        new DataPlaneEngine(),
                        Map.of("LYCHGATE_ADMIN_TOKEN", token)::get,
                        new PrintWriter(out),
                        new PrintWriter(err),
                        thread -> {},
                        Signals.NONE),
                all.toArray(String[]::new));
        return new Result(code, out.toString(), err.toString());
    }

    @Test
    void aChangeWithoutTheRoleFailsWithTheReason() {
        Result refused = run(VIEWER, "reload");

        assertThat(refused.code()).isNotZero();
        assertThat(refused.err()).contains("this change requires the role operator");
        assertThat(run(DEPLOY, "reload").code()).isZero();
    }

    @Test
    void topShowsAViewerAllButRecordedExchanges() {
        // The first request loads the pages; top waits only a few seconds for each.
        assertThat(run(DEPLOY, "explain", "GET", "/").code()).isZero();
        Result top = run(VIEWER, "top", "--once");

        assertThat(top.code()).as(top.err()).isZero();
        assertThat(top.out()).contains("requires the role recorder").contains("ready");
        assertThat(run(DEPLOY, "top", "--once").out()).doesNotContain("requires the role");
    }

    @Test
    void recordedExchangesRequireTheRecorder() {
        assertThat(run(VIEWER, "trace").err()).contains("requires the role recorder");
        assertThat(run(DEPLOY, "trace").code()).isZero();
    }

    @Test
    void theConfigurationPageMasksTheTokens() throws Exception {
        assertThat(run(DEPLOY, "explain", "GET", "/").code()).isZero();
        String config = HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create(
                                        "http://127.0.0.1:" + gateway.gateway().adminPort() + "/config"))
                                .header("authorization", "Bearer " + VIEWER)
                                .build(),
                        HttpResponse.BodyHandlers.ofString())
                .body();
        assertThat(config).contains("grafana", "***").doesNotContain(VIEWER).doesNotContain(DEPLOY);
    }
}
