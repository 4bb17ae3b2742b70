package dev.lychgate.server.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.server.yaml.ConfigReader;
import dev.lychgate.server.yaml.Environment;
import dev.lychgate.testing.RawClient;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A process that ends by a request to its admin listener. */
class AdminDrainTest {
    private static final Environment ENVIRONMENT = name -> null;

    @Test
    void endsLikeOnSigtermAndASecondRequestHasTheSameResponse(@TempDir Path home) throws Exception {
        Path file = Files.writeString(home.resolve("gateway.yml"), """
                listeners: [{ name: main, address: "127.0.0.1:0" }]
                routes: [{ id: all, respond: {} }]
                admin: { address: "127.0.0.1:0" }
                access-log: { format: off }
                drain: { timeout: 10s }
                """);
        RunningGateway gateway = new DataPlaneEngine()
                .start(
                        file,
                        ENVIRONMENT,
                        new ConfigReader(ENVIRONMENT).read(file).config());
        InetSocketAddress admin = Objects.requireNonNull(gateway.admin());
        try (RawClient client = RawClient.connect(admin)) {
            client.send("POST /drain?exit=true HTTP/1.1\r\nHost: localhost\r\nx-lychgate-admin: x\r\n\r\n");
            assertThat(client.readResponse().status()).isEqualTo(200);
        }

        gateway.awaitClosed();

        assertThat(gateway.drain(Duration.ZERO)).isTrue();
        assertThat(gateway.isBroken()).isFalse();
    }
}
