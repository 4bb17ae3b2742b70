package dev.lychgate;

import dev.lychgate.testing.RawClient;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The ladders in the view Limits. */
@Tag("slow")
class DashboardOverloadTest extends DashboardInBrowser {
    @Override
    void configure(String orders, String admin) throws IOException {
        Files.writeString(home.resolve("gateway.yml"), """
                listeners: [{ name: main, address: "127.0.0.1:0" }]
                admin: { address: "127.0.0.1:0"%s }
                filters: { directory: filters }
                overload: { stale: {}, page: {}, hold: 1h }
                rate-limits: { few: { limit: 1/h } }
                routes:
                  - { id: orders, match: { path: "%s" }, rate-limit: few, upstream: orders }
                upstreams:
                  orders: { endpoints: ["http://127.0.0.1:%d"] }
                  idle: { endpoints: ["http://127.0.0.1:%d"] }
                access-log: { format: off }
                """.formatted(admin, orders, first.port(), second.port()));
    }

    /** The requests of the load would be counted, too. */
    @Override
    boolean isLoaded() {
        return false;
    }

    @Test
    void showsEachLadderWithTheCurrentRungAndItsReason() throws Exception {
        try (RawClient client = RawClient.connect(new InetSocketAddress(
                InetAddress.getLoopbackAddress(), gateway().port("main")))) {
            client.get("/orders/1");
            client.get("/orders/2");
        }
        BrowserPage shown = open().size(1280, 860).view("Limits");
        shown.awaitText(
                "section[aria-label='Ladder of orders']",
                "rate-limited",
                "page",
                "stale",
                "brownout",
                "rate limits refuse requests, reached 1 time",
                "0 shed, 1 refused by rate limits");
        shown.awaitThat("document.querySelector(\"section[aria-label='Ladder of orders'] li[aria-current='true']\")"
                + ".innerText.includes('limit')");
        shown.awaitThat("document.querySelector(\"section[aria-label='Ladder of idle'] li[aria-current='true']\")"
                + ".innerText.includes('normal')");
        hasAskedForNothingElseAndNothingWentWrong(shown);
    }
}
