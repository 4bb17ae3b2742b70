package dev.lychgate.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.testing.RawClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The cost of discovery for a gateway whose upstreams name no source, in a separate process. */
@Tag("slow")
class UnusedDiscoveryTest {
    @TempDir
    Path home = Path.of("");

    private static int admin(ChildGateway gateway, String path) throws Exception {
        try (RawClient admin = gateway.admin()) {
            return admin.send("GET " + path + " HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
                    .readResponse()
                    .status();
        }
    }

    @Test
    void loadsNoClassAndStartsNoThreadWithoutASource() throws Exception {
        Path config = Files.writeString(home.resolve("gateway.yml"), """
            listeners: [{ name: main, address: "127.0.0.1:0" }]
            admin: { address: "127.0.0.1:0" }
            routes: [{ id: all, respond: { status: 204 } }]
            upstreams: { api: { endpoints: ["http://127.0.0.1:9"] } }
            """);
        Path classes = home.resolve("classes");
        try (ChildGateway gateway =
                ChildGateway.launch(config, "export JDK_JAVA_OPTIONS='-Xlog:class+load:file=" + classes + "'; ")) {
            gateway.awaitLine("ready after");
            assertThat(gateway.client().get("/").status()).isEqualTo(204);
            assertThat(admin(gateway, "/metrics")).isEqualTo(200);
            assertThat(admin(gateway, "/upstreams")).isEqualTo(200);
            gateway.signal("HUP");
            gateway.awaitLine("requested by SIGHUP");
            gateway.signal("QUIT");
            gateway.awaitLine("Full thread dump");
            gateway.awaitLine("\"lychgate-file-watcher\"");
            assertThat(gateway.log()).doesNotContain("\"lychgate-discovery");
        }
        List<String> loaded = Files.readAllLines(classes);
        assertThat(loaded).anyMatch(line -> line.contains(" dev.lychgate.server.admin.UpstreamsPage "));
        assertThat(loaded)
                .noneMatch(line ->
                        line.contains(" dev.lychgate.server.discovery.") || line.contains(" dev.lychgate.discovery."));
    }
}
