package dev.lychgate.server;

import static dev.lychgate.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.testing.RawClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A process that is killed during a rollout, observed from outside. */
@Tag("slow")
class RolloutKillTest {
    private static final String CANARY = "x-canary: yes\r\n";

    @TempDir
    Path home = Path.of("");

    private Path files() throws Exception {
        Files.createDirectories(home.resolve("filters/outbound"));
        filter(1);
        return Files.writeString(home.resolve("gateway.yml"), """
            listeners: [{ name: main, address: "127.0.0.1:0" }]
            admin: { address: "127.0.0.1:0" }
            filters: { directory: filters }
            routes: [{ id: all, match: { path: "/**" }, respond: { status: 200 } }]
            access-log: { format: off }
            rollout: { steps: [0.0001%], hold: 1h, include: [{ headers: { x-canary: "yes" } }] }
            """);
    }

    private void filter(int stamp) throws Exception {
        Path file = home.resolve("filters/outbound/stamp.groovy");
        Path whole = Files.writeString(
                file.resolveSibling(".new"), "filter { it.response.headers['x-stamp'] = '" + stamp + "' }\n");
        Files.move(whole, file, StandardCopyOption.ATOMIC_MOVE);
    }

    private static String stamp(ChildGateway gateway, String fields) throws Exception {
        try (RawClient client = gateway.client()) {
            return client.send("GET / HTTP/1.1\r\nHost: a\r\n" + fields + "\r\n")
                    .readResponse()
                    .value("x-stamp")
                    .orElse("none");
        }
    }

    private static void abort(ChildGateway gateway) throws Exception {
        try (RawClient admin = gateway.admin()) {
            assertThat(admin.send("POST /rollout?action=abort HTTP/1.1\r\nHost: 127.0.0.1\r\nx-lychgate-admin: test\r\n"
                                    + "Content-Length: 0\r\n\r\n")
                            .readResponse()
                            .status())
                    .isEqualTo(200);
        }
    }

    @Test
    void aKilledGatewayStartsWithTheStableGeneration() throws Exception {
        Path config = files();
        try (ChildGateway gateway = ChildGateway.start(config)) {
            filter(2);
            gateway.awaitLine("the rollout of generation 2 begins");
            assertThat(stamp(gateway, CANARY)).isEqualTo("2");
            gateway.signal("KILL");
        }
        try (ChildGateway gateway = ChildGateway.start(config)) {
            gateway.awaitLine("a rollout was interrupted: serving with the stable generation");
            assertThat(stamp(gateway, "")).isEqualTo("1");
            gateway.awaitLine("the rollout of generation 2 begins");
            eventually(() -> assertThat(stamp(gateway, CANARY)).isEqualTo("2"));
            abort(gateway);
            gateway.signal("KILL");
        }
        try (ChildGateway gateway = ChildGateway.start(config)) {
            gateway.awaitLine("the files belong to an aborted rollout");
            assertThat(stamp(gateway, CANARY)).isEqualTo("1");
            assertThat(gateway.log()).doesNotContain("begins");
            filter(3);
            gateway.awaitLine("the rollout of generation 2 begins");
            assertThat(stamp(gateway, CANARY)).isEqualTo("3");
        }
    }
}
