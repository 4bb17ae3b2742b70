package dev.lychgate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.client.Ban;
import dev.lychgate.config.ClientsConfig;
import dev.lychgate.testing.RawClient;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The view of rate limits, with a key whose text is markup. */
@Tag("slow")
class DashboardLimitsTest extends DashboardInBrowser {
    private static final String HOSTILE = "<img src=x onerror=alert(1)>";

    @Override
    void configure(String orders, String admin) throws IOException {
        Files.writeString(home.resolve("gateway.yml"), """
                listeners:
                  - name: main
                    address: "127.0.0.1:0"
                    rate-limit: watched
                    client-protection: { deny: abusers, connections: 50, mode: shadow }
                address-lists: { abusers: { addresses: [192.0.2.0/24] } }
                admin: { address: "127.0.0.1:0"%s }
                filters: { directory: filters }
                rate-limits:
                  watched: { limit: 1/h, mode: shadow }
                  tenants: { limit: 2/h, key: "header:x-tenant" }
                routes:
                  - { id: orders, match: { path: "%s" }, rate-limit: tenants, upstream: orders }
                upstreams:
                  orders: { endpoints: ["http://127.0.0.1:%d"] }
                access-log: { format: off }
                """.formatted(admin, orders, first.port()));
    }

    private void fourRequests() throws Exception {
        for (int status : new int[] {200, 200, 429, 429}) {
            try (RawClient client = RawClient.connect(new InetSocketAddress(
                    InetAddress.getLoopbackAddress(), gateway().port("main")))) {
                client.send("GET /orders/1 HTTP/1.1\r\nHost: a\r\nX-Tenant: " + HOSTILE + "\r\n\r\n");
                assertThat(client.readResponse().status()).isEqualTo(status);
            }
        }
    }

    @Test
    void showsLimitsAndTheKeysThatAreRefusedMost() throws Exception {
        stopLoad();
        fourRequests();
        BrowserPage shown = open().size(1280, 860).view("Limits");
        shown.awaitText(
                "main", "watched", "not enforced", "tenants", "2/h requests, burst 2", "header:x-tenant", "orders");
        shown.awaitText("main", "Keys beyond tenants in the last minutes", "header x-tenant: " + HOSTILE);
        shown.awaitText(
                "main", "Protection against single clients", "deny abusers, 50 connections", "Banned clients: 0");
        hasAskedForNothingElseAndNothingWentWrong(shown);
    }

    @Test
    void showsBannedClientsWithTheirReasons() throws Exception {
        stopLoad();
        gateway()
                .gateway()
                .generation()
                .clients()
                .bans()
                .add(
                        InetAddress.getByName("203.0.113.7"),
                        ClientsConfig.DEFAULT,
                        Duration.ofHours(1),
                        HOSTILE,
                        Ban.Source.OPERATOR,
                        "alice");
        BrowserPage shown = open().size(1280, 860).view("Limits");
        shown.awaitText("main", "203.0.113.7", "operator alice", HOSTILE);
        hasAskedForNothingElseAndNothingWentWrong(shown);
    }
}
