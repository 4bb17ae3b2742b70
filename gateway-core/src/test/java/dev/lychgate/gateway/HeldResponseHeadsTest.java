package dev.lychgate.gateway;

import static dev.lychgate.testing.Http2Client.INITIAL_WINDOW;
import static dev.lychgate.testing.Http2Client.NONE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.config.PoolConfig;
import dev.lychgate.config.UpstreamProtocol;
import dev.lychgate.error.ErrorKind;
import dev.lychgate.loop.MemoryBudget;
import dev.lychgate.testing.Eventually;
import dev.lychgate.testing.Http2Client;
import dev.lychgate.testing.Http2Origin;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.Responses;
import dev.lychgate.testing.ScriptedOrigin;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Complete heads of responses count against the memory budget for as long as their clients do not read the bodies. */
@SuppressWarnings("try") // resources that only have to be there
class HeldResponseHeadsTest {
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final String FIELDS = ("X-Padding: " + "p".repeat(1000) + "\r\n").repeat(50);
    /** Of a response: 50 KB and 51 fields. The first of an event loop count for nothing, up to 64 KiB. */
    private static final int HEAD = 50_000;

    private static final int FREE = 64 << 10;

    /** An origin with a large response head for {@code /large}, which sends only the first bytes of the body. */
    private static ScriptedOrigin origin() {
        return ScriptedOrigin.answeringWhoStays((r, c) -> c.send(
                r.target().equals("/large")
                        ? "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n" + FIELDS + "\r\nhello"
                        : Responses.ok("usual")));
    }

    private static long held() {
        return MemoryBudget.OF_PROCESS.held();
    }

    @Test
    void headsCountUntilTheirExchangesEnd() throws Exception {
        List<RawClient> clients = new ArrayList<>();
        try (ScriptedOrigin origin = origin();
                Running gateway = Setup.to(origin.address()).start()) {
            long before = held();
            for (int i = 0; i < 10; i++) {
                RawClient client = gateway.client().within(LONG);
                clients.add(client);
                client.send("GET /large HTTP/1.1\r\nHost: a\r\n\r\n");
                assertThat(client.readHead().status()).isEqualTo(200);
            }
            assertThat(held() - before).isGreaterThanOrEqualTo(10 * HEAD - FREE);
            for (RawClient client : clients) {
                client.close();
            }
            Eventually.eventually(LONG, () -> assertThat(held()).isLessThanOrEqualTo(before));
        } finally {
            for (RawClient client : clients) {
                client.close();
            }
        }
    }

    @Test
    void headsCountOnStreamsWithClosedWindows() throws Exception {
        try (ScriptedOrigin origin = origin();
                Running gateway = Setup.to(origin.address()).start();
                Http2Client client = gateway.http2(INITIAL_WINDOW, 0).openingNoWindow()) {
            client.within(LONG);
            long before = held();
            for (int stream = 1; stream < 20; stream += 2) {
                int of = stream;
                client.get(stream, "/large")
                        .await("head", () -> client.stream(of).hasHead());
            }
            assertThat(held() - before).isGreaterThanOrEqualTo(10 * HEAD - FREE);
            for (int stream = 1; stream < 20; stream += 2) {
                client.cancel(stream);
            }
            client.sync();
            Eventually.eventually(LONG, () -> assertThat(held()).isLessThanOrEqualTo(before));
        }
    }

    @Test
    void refusesLargeHeadsAtTheBoundWhileUsualResponsesPass() throws Exception {
        try (ScriptedOrigin origin = origin();
                Running gateway = Setup.to(origin.address()).start();
                RawClient stalled = gateway.client().within(LONG);
                RawClient client = gateway.client().within(LONG)) {
            try (Scarcity scarcity = Scarcity.leaving(100_000)) {
                stalled.send("GET /large HTTP/1.1\r\nHost: a\r\n\r\n");
                assertThat(stalled.readHead().status()).isEqualTo(200);
                assertThat(client.get("/large").status()).isEqualTo(503);
                assertThat(gateway.nextOutcome().error()).isEqualTo(ErrorKind.OVERLOADED);
                assertThat(client.get("/").body()).isEqualTo("usual");
            }
            client.send("GET /large HTTP/1.1\r\nHost: a\r\n\r\n");
            assertThat(client.readHead().status()).isEqualTo(200);
        }
    }

    @Test
    void refusesHeadsOfHttp2Origins() throws Exception {
        String[] head = {":status", "200", "x-padding", "p".repeat(15_000)};
        try (Http2Origin origin = Http2Origin.start();
                Running gateway = Setup.to(origin.address())
                        .pool(PoolConfig.DEFAULT.speaking(UpstreamProtocol.H2))
                        .start();
                // Large heads may not take the last quarter, which remains for frames that arrive in parts.
                Scarcity scarcity = Scarcity.leaving(MemoryBudget.OF_PROCESS.most() / 4);
                Http2Client client = gateway.http2().within(LONG)) {
            client.get(1, "/");
            Http2Client connection = origin.accept().within(LONG);
            for (int stream = 1; stream <= 7; stream += 2) {
                int of = stream;
                connection.asked(stream);
                connection.headers(stream, NONE, head);
                client.await("head", () -> client.stream(of).hasHead());
                client.get(stream + 2, "/");
            }
            connection.asked(9);
            connection.headers(9, NONE, head);
            assertThat(client.response(9).status()).isEqualTo(503);
        }
    }
}
