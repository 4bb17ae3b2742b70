package dev.lychgate.server.demo;

import static dev.lychgate.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.Lychgate;
import dev.lychgate.server.reload.FileGateway;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.RawMessage;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The demo's files and origins, with a real gateway and a fake clock. */
@Tag("slow")
class DemoTest {
    private final AtomicLong nanos = new AtomicLong();
    private Demo demo;
    private FileGateway<Lychgate> gateway;

    @BeforeEach
    void start(@TempDir Path home) throws Exception {
        demo = Demo.start(home, 0, 0, nanos::get);
        String config = Files.readString(demo.config());
        Files.writeString(demo.config(), config.replace("minimum: 5, open: 5s", "minimum: 5, open: 100ms"));
        gateway = FileGateway.start(demo.config(), demo.environment(name -> null), Lychgate::start);
    }

    @AfterEach
    void end() {
        gateway.gateway().close();
        gateway.close();
        demo.close();
    }

    @Test
    void opensTheCircuitWhilePaymentsFailAndClosesItAfterwards() throws Exception {
        assertThat(get("/payments/1").status()).isEqualTo(200);

        nanos.set(TimeUnit.SECONDS.toNanos(15));
        eventually(() -> assertThat(get("/payments/1").body()).contains("Payments are unavailable"));
        assertThat(get("/orders/1").status())
                .as("other routes are not affected")
                .isEqualTo(200);

        nanos.set(TimeUnit.SECONDS.toNanos(35));
        eventually(() -> assertThat(get("/payments/1").status()).isEqualTo(200));
    }

    @Test
    void hidesADeadEndpointFromClients() throws Exception {
        for (int i = 0; i < 8; i++) {
            assertThat(get("/inventory/" + i).status()).isEqualTo(200);
        }
    }

    @Test
    void failsSomeOrders() throws Exception {
        int failed = 0;
        for (int i = 0; i < 20; i++) {
            failed += get("/orders/" + i).status() == 500 ? 1 : 0;
        }
        assertThat(failed).isEqualTo(2);
    }

    @Test
    void sendsRequestsWithTheCanaryHeaderToTheCanary() throws Exception {
        assertThat(ask("/", "x-canary: yes\r\n").body()).contains("\"demo-canary\"");
        assertThat(get("/").body()).contains("\"demo-");
        assertThat(get("/").body()).doesNotContain("canary");
    }

    @Test
    void looksTheCustomerUpBeforeItForwardsTheRequest() throws Exception {
        // The first lookup loads the client, and may take longer than a second.
        eventually(() -> assertThat(ask("/headers", "x-customer: 7\r\n").body())
                .contains("{\"name\":\"x-customer-known\",\"value\":\"yes\"}"));
        assertThat(get("/headers").body()).doesNotContain("x-customer-known");
    }

    @Test
    void appliesItsHeaderPolicyToResponsesOfTheGatewayToo() throws Exception {
        for (String path : new String[] {"/", "/welcome", "/old/page"}) {
            RawMessage response = get(path);
            assertThat(response.value("x-served-by")).as(path).contains("lychgate");
            assertThat(response.value("x-frame-options")).as(path).contains("DENY");
        }
    }

    private RawMessage get(String path) throws IOException {
        return ask(path, "");
    }

    private RawMessage ask(String path, String fields) throws IOException {
        int port = gateway.gateway().port("demo");
        try (RawClient client = RawClient.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port))) {
            return client.send("GET " + path + " HTTP/1.1\r\nHost: a\r\n" + fields + "\r\n")
                    .readResponse();
        }
    }
}
