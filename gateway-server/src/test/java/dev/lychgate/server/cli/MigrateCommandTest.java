package dev.lychgate.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code lychgate migrate zuul}: its report, as text and as JSON, and the file with the configuration. */
@Tag("slow")
class MigrateCommandTest {
    private final Terminal terminal = new Terminal();

    @TempDir
    private Path dir = Path.of("");

    private String legacy = "";

    @BeforeEach
    void writeALegacyApplication() throws IOException {
        Path filters = Files.createDirectories(dir.resolve("legacy/pre"));
        Files.writeString(filters.resolve("Auth.groovy"), """
                import com.netflix.zuul.ZuulFilter
                class Auth extends ZuulFilter {
                    String filterType() { 'pre' }
                    int filterOrder() { 5 }
                }
                """);
        Files.writeString(filters.resolve("Choose.groovy"), """
                import com.netflix.zuul.ZuulFilter
                import com.netflix.client.ClientFactory
                class Choose extends ZuulFilter {
                    String filterType() { 'pre' }
                    int filterOrder() { 6 }
                }
                """);
        legacy = dir.resolve("legacy").toString();
        Files.writeString(
                dir.resolve("legacy/application.properties"), "zuul.routes.a.url=http://127.0.0.1:9000\na=b\n");
    }

    @Test
    void printsWhatEachFileNeedsAndTheConfiguration() {
        assertThat(terminal.run("migrate", "zuul", legacy)).isZero();

        assertThat(terminal.out().lines())
                .startsWith(
                        "pre/Auth.groovy: runs as it is (Auth, pre, order 5)",
                        "pre/Choose.groovy: must change (Choose, pre, order 6)",
                        "  2:1: com.netflix.client.ClientFactory: the gateway itself balances requests; name an"
                                + " upstream in extensions.zuul.vips instead",
                        "2 filters; runs as it is: 1, is left out: 0, runs with a setting: 0, must change: 1",
                        "",
                        "configuration:",
                        "listeners: [{ name: main, address: \"0.0.0.0:8080\" }]")
                .endsWith("not understood:", "  application.properties: a=b");
    }

    @Test
    void printsTheReportAsJson() throws IOException {
        assertThat(terminal.run("migrate", "zuul", legacy, "--json")).isZero();

        assertThat(terminal.out())
                .startsWith(
                        "{\"filters\":[{\"file\":\"pre/Auth.groovy\",\"name\":\"Auth\",\"type\":\"pre\",\"order\":5,"
                                + "\"verdict\":\"runs\",\"findings\":[]}")
                .contains("\"verdict\":\"change\",\"subject\":\"com.netflix.client.ClientFactory\"")
                .contains("\"counts\":{\"runs\":1,\"left-out\":0,\"setting\":0,\"change\":1}")
                .contains("\"notUnderstood\":[\"application.properties: a=b\"]");
    }

    @Test
    void writesTheConfigurationToANewFileOnly() throws IOException {
        Path file = dir.resolve("gateway.yml");

        assertThat(terminal.run("migrate", "zuul", legacy, "--output", file.toString()))
                .isZero();
        assertThat(file).content().startsWith("listeners: ").contains("upstream: a }");
        assertThat(terminal.out()).doesNotContain("configuration:");

        Files.writeString(file, "mine");
        assertThat(terminal.run("migrate", "zuul", legacy, "--output", file.toString()))
                .isEqualTo(1);
        assertThat(file).hasContent("mine");
        assertThat(terminal.err()).contains("migrate: " + file + " already exists");
    }

    @Test
    void rejectsAnotherGatewayAndAMissingDirectory() {
        assertThat(terminal.run("migrate", "nginx", legacy)).isEqualTo(64);
        assertThat(terminal.run("migrate", "zuul", legacy + "/none")).isEqualTo(64);
        assertThat(terminal.err()).contains("/none' (expected: a directory)");
    }
}
