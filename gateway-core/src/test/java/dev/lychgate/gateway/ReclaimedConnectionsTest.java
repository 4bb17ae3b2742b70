package dev.lychgate.gateway;

import static dev.lychgate.testing.Http2Client.INITIAL_WINDOW;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.config.Http2Config;
import dev.lychgate.config.PoolConfig;
import dev.lychgate.error.ErrorKind;
import dev.lychgate.http2.Http2Error;
import dev.lychgate.testing.Gate;
import dev.lychgate.testing.Http2Client;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.Responses;
import dev.lychgate.testing.ScriptedOrigin;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** If connections to origins are scarce, the gateway reclaims connections of stalling clients, and no others. */
@Tag("slow")
@Tag("each-jdk")
class ReclaimedConnectionsTest {
    private static final Duration LONG = Duration.ofMinutes(1);
    private static final Duration PATIENCE = Duration.ofMillis(300);
    /** More than all buffers on the way can hold. */
    private static final int LARGE = 100_000_000;

    /** {@code /large} gets a response larger than all buffers, other requests get their body. */
    private static ScriptedOrigin origin() {
        return ScriptedOrigin.answeringWhoStays((r, c) -> {
            c.within(LONG);
            if (r.target().equals("/large")) {
                c.send(Responses.head(200, "Content-Length: " + LARGE) + "\r\n");
                byte[] piece = new byte[100_000];
                for (int left = LARGE; left > 0; left -= piece.length) {
                    c.send(piece);
                }
            } else {
                c.send(Responses.ok("short " + r.body()));
            }
        });
    }

    private static Setup to(ScriptedOrigin origin, int connections) {
        return Setup.to(origin.address())
                .workers(1)
                .pool(new PoolConfig(connections, 100, LONG, LONG, 0).withReclaim(PATIENCE));
    }

    private static Http2Client takingNothing(Running gateway) throws Exception {
        return gateway.http2(INITIAL_WINDOW, 0).openingNoWindow().within(LONG);
    }

    @Test
    void aClientThatDoesNotReadLosesItsConnectionToAWaitingRequest() throws Exception {
        try (ScriptedOrigin origin = origin();
                Running gateway = to(origin, 1).start();
                Http2Client greedy = takingNothing(gateway);
                RawClient client = gateway.client()) {
            greedy.get(1, "/large");
            greedy.await("head", () -> greedy.stream(1).hasHead());
            assertThat(client.get("/").body()).isEqualTo("short ");
            assertThat(greedy.awaitReset(1)).isEqualTo(Http2Error.CANCEL);
            assertThat(gateway.nextOutcome().error()).isEqualTo(ErrorKind.CLIENT_STALLED);
            assertThat(gateway.pools().reclaimed()).isEqualTo(1);
            // Its connection stays open: the cause may have been one of several readers.
            greedy.settings(INITIAL_WINDOW, 1000);
            assertThat(greedy.get(3, "/").response(3).body()).isEqualTo("short ");
        }
    }

    @Test
    void anHttp1ClientThatDoesNotReadLosesItsConnection() throws Exception {
        try (ScriptedOrigin origin = origin();
                Running gateway = to(origin, 1).start();
                RawClient greedy = gateway.client();
                RawClient client = gateway.client()) {
            greedy.send("GET /large HTTP/1.1\r\nHost: a\r\n\r\n").readHead();
            assertThat(client.within(LONG).get("/").body()).isEqualTo("short ");
            assertThat(gateway.nextOutcome().error()).isEqualTo(ErrorKind.CLIENT_STALLED);
        }
    }

    @Test
    void aClientThatDoesNotSendItsBodyGetsAnErrorAndLosesItsConnection() throws Exception {
        try (ScriptedOrigin origin = origin();
                Running gateway = to(origin, 2).start();
                RawClient greedy = gateway.client();
                Http2Client another = gateway.http2().within(LONG);
                RawClient client = gateway.client()) {
            greedy.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n12345");
            // The longest leased connection is checked first.
            origin.awaitConnections(1);
            another.post(1, "/").data(1, "12345", false).sync();
            origin.awaitConnections(2);
            assertThat(client.get("/").body()).isEqualTo("short ");
            // One was enough; the other one may have its time.
            assertThat(gateway.pools().reclaimed()).isEqualTo(1);
            assertThat(gateway.nextOutcome().error()).isEqualTo(ErrorKind.REQUEST_TIMEOUT);
            var late = greedy.within(LONG).readResponse();
            assertThat(late.status()).isEqualTo(408);
            assertThat(late.values("connection")).containsExactly("close");
            assertThat(another.data(1, "67890", true).response(1).body()).isEqualTo("short 1234567890");
        }
    }

    @Test
    void aClientWhoseStreamsKeepOthersWaitingAgainAndAgainLosesItsConnection() throws Exception {
        Http2Config usual = Http2Config.DEFAULT;
        Http2Config strict = new Http2Config(usual.streams(), usual.streamWindow(), usual.connectionWindow(), 3);
        try (ScriptedOrigin origin = origin();
                Running gateway = to(origin, 4).http2(strict).start();
                Http2Client greedy = takingNothing(gateway)) {
            // The fifth waits for one of the first four, and so on.
            for (int stream = 1; stream < 20; stream += 2) {
                greedy.get(stream, "/large");
            }
            assertThat(greedy.awaitGoAwayAndEnd().error()).isEqualTo(Http2Error.ENHANCE_YOUR_CALM);
            origin.awaitOpenConnections(0);
        }
    }

    @Test
    void reclaimsNoConnectionWhileNoRequestWaits() throws Exception {
        try (ScriptedOrigin origin = origin();
                Running gateway = to(origin, 2).start();
                Http2Client slow = takingNothing(gateway);
                RawClient client = gateway.client()) {
            slow.get(1, "/large");
            slow.await("head", () -> slow.stream(1).hasHead());
            Thread.sleep(3 * PATIENCE.toMillis());
            assertThat(client.get("/").body()).isEqualTo("short ");
            assertThat(gateway.pools().reclaimed()).isZero();
        }
    }

    @Test
    void aReadingClientOfASlowOriginKeepsItsConnection() throws Exception {
        Gate gate = new Gate();
        try (ScriptedOrigin origin = ScriptedOrigin.answering((r, c) -> {
                    if (r.target().equals("/events")) {
                        c.within(LONG).send(Responses.head(200, "Content-Length: 4") + "\r\n12");
                        gate.await(LONG);
                        c.send("34");
                    } else {
                        c.send(Responses.ok("short"));
                    }
                });
                Running gateway = to(origin, 1).start();
                RawClient patient = gateway.client();
                RawClient client = gateway.client()) {
            patient.send("GET /events HTTP/1.1\r\nHost: a\r\n\r\n");
            origin.awaitRequests(1);
            client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n").expectSilence(PATIENCE.multipliedBy(3));
            gate.open();
            assertThat(patient.readResponse().body()).isEqualTo("1234");
            assertThat(client.readResponse().body()).isEqualTo("short");
            assertThat(gateway.pools().reclaimed()).isZero();
        }
    }

    @Test
    void keepsTheConnectionIfReclaimingIsOff() throws Exception {
        try (ScriptedOrigin origin = origin();
                Running gateway = Setup.to(origin.address())
                        .workers(1)
                        .pool(new PoolConfig(1, 100, LONG, LONG, 0).withReclaim(Duration.ZERO))
                        .start();
                Http2Client greedy = takingNothing(gateway);
                RawClient client = gateway.client()) {
            greedy.get(1, "/large");
            greedy.await("head", () -> greedy.stream(1).hasHead());
            client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n").expectSilence(PATIENCE.multipliedBy(3));
            greedy.cancel(1);
            assertThat(client.readResponse().body()).isEqualTo("short ");
        }
    }
}
