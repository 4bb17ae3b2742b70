package dev.lychgate.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.config.PoolConfig;
import dev.lychgate.config.UpstreamProtocol;
import dev.lychgate.error.ErrorKind;
import dev.lychgate.testing.Http2Client;
import dev.lychgate.testing.Http2Origin;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.RawMessage;
import dev.lychgate.testing.Responses;
import dev.lychgate.testing.Rfc;
import dev.lychgate.testing.ScriptedOrigin;
import io.netty.buffer.PooledByteBufAllocator;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** 1xx responses and Expect: 100-continue, see RFC 9110, 10.1.1 and 15.2. */
@Tag("slow")
class InterimResponsesTest {
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final String EXPECTING =
            "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\n";

    @Test
    @Rfc({"9110, 10.1.1", "9110, 15.2.1"})
    void theOriginsLeaveReachesTheClientBeforeTheBodyIsSent() throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.start().onConnection(c -> {
                    RawMessage head = c.readHead();
                    c.send("HTTP/1.1 100 Continue\r\n\r\n");
                    c.send(Responses.ok(c.readBody(head).body()));
                    c.awaitEnd();
                });
                Running gateway = Setup.to(origin.address()).start();
                RawClient client = gateway.client()) {
            client.send(EXPECTING);
            assertThat(client.readHead().status()).isEqualTo(100);
            client.send("abc");
            assertThat(client.readResponse().body()).isEqualTo("abc");
            assertThat(origin.requests().get(0).value("expect")).contains("100-continue");
        }
    }

    @Test
    @Rfc("9110, 10.1.1")
    void aClientThatDoesNotWaitForAContinueGetsItsResponse() throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.answering((r, c) -> c.send(Responses.ok(r.body())));
                Running gateway = Setup.to(origin.address()).start();
                RawClient client = gateway.client()) {
            client.send(EXPECTING + "abc");
            assertThat(client.readResponse().body()).isEqualTo("abc");
            assertThat(client.get("/").status()).isEqualTo(200);
        }
    }

    @Test
    @Rfc({"9110, 10.1.1", "9112, 9.3"})
    void aRefusalInsteadOfLeaveClosesTheConnectionBecauseTheBodyMayComeOrNot() throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.start().onConnection(c -> {
                    c.readHead();
                    c.send(Responses.of(403, "no"));
                    c.awaitEnd();
                });
                Running gateway = Setup.to(origin.address()).start();
                RawClient client = gateway.client()) {
            client.send(EXPECTING);
            RawMessage response = client.readResponse();
            assertThat(response.status()).isEqualTo(403);
            assertThat(response.value("connection")).contains("close");
            client.expectClosed();
            origin.awaitOpenConnections(0);
        }
    }

    @Test
    @Rfc({"9110, 10.1.1", "9112, 9.3"})
    void aSuccessInsteadOfLeaveClosesItToo() throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.start().onConnection(c -> {
                    c.readHead();
                    c.send("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n" + Responses.ok("done without"));
                    c.awaitEnd();
                });
                Running gateway = Setup.to(origin.address()).start();
                RawClient client = gateway.client()) {
            client.send(EXPECTING);
            RawMessage response = client.readResponse();
            assertThat(response.body()).isEqualTo("done without");
            assertThat(response.value("connection")).contains("close");
            client.expectClosed();
        }
    }

    @Test
    @Rfc({"9110, 10.1.1", "9110, 15.5.18"})
    void anOtherExpectationIsRefused() throws Exception {
        try (Running gateway = new Setup()
                        .route("x", "/", new dev.lychgate.config.RouteAction.Respond(200, java.util.Map.of(), "x"))
                        .start();
                RawClient client = gateway.client()) {
            client.send("GET / HTTP/1.1\r\nHost: a\r\nExpect: the-unexpected\r\n\r\n");
            assertThat(client.readResponse().status()).isEqualTo(417);
        }
    }

    @Test
    @Rfc("9110, 15.2")
    void earlyHintsPassInOrderAndTheConnectionIsReused() throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.answering((r, c) -> {
                    c.send("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\nConnection: close\r\n\r\n");
                    c.send("HTTP/1.1 103 Early Hints\r\nLink: </b>\r\n\r\n");
                    c.send(Responses.ok("final"));
                });
                Running gateway = Setup.to(origin.address()).start();
                RawClient client = gateway.client()) {
            assertThat(client.get("/").body()).isEqualTo("final");
            assertThat(client.interimResponses())
                    .extracting(m -> m.value("link").orElse(""))
                    .containsExactly("</a>", "</b>");
            assertThat(client.get("/").body()).isEqualTo("final");
            assertThat(origin.connectionsAccepted()).isEqualTo(1);
            assertThat(gateway.nextOutcome().status()).isEqualTo(200);
        }
    }

    @Test
    @Rfc({"9110, 7.8", "9110, 15.2.2", "9110, 15.6.3"})
    void switchingProtocolsUnaskedIsAFault() throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.start().onConnection(c -> {
                    c.readRequest();
                    c.send("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\nraw bytes");
                    c.awaitEnd();
                });
                Running gateway = Setup.to(origin.address()).start();
                RawClient client = gateway.client()) {
            client.send("GET / HTTP/1.1\r\nHost: a\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n");
            RawMessage response = client.readResponse();
            assertThat(response.status()).isEqualTo(502);
            assertThat(response.body()).contains("urn:lychgate:problem:malformed-response");
            assertThat(origin.requests().get(0).has("upgrade")).isFalse();
        }
    }

    private static ScriptedOrigin endless() {
        return ScriptedOrigin.answeringWhoStays((r, c) -> {
            while (true) {
                c.send("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n");
            }
        });
    }

    @Test
    @Rfc("9110, 15.2")
    void anOriginThatSendsThemWithoutEndIsCutOff() throws Exception {
        try (ScriptedOrigin origin = endless();
                Running gateway = Setup.to(origin.address()).start();
                RawClient client = gateway.client()) {
            assertThat(client.within(LONG).get("/").status()).isEqualTo(502);
            assertThat(gateway.nextOutcome().error()).isEqualTo(ErrorKind.MALFORMED_RESPONSE);
            origin.awaitOpenConnections(0);
        }
    }

    @Test
    @Rfc("9110, 15.2")
    void anHttp2ClientReceivesInterimResponses() throws Exception {
        try (ScriptedOrigin origin = endless();
                Running gateway = Setup.to(origin.address()).start();
                Http2Client client = gateway.http2().within(LONG)) {
            assertThat(client.get(1, "/").response(1).status()).isEqualTo(502);
        }
    }

    @Test
    @Rfc("9110, 15.2")
    void anOriginOfHttp2IsCutOffToo() throws Exception {
        try (Http2Origin origin = Http2Origin.start();
                Running gateway = Setup.to(origin.address())
                        .pool(PoolConfig.DEFAULT.speaking(UpstreamProtocol.H2))
                        .start();
                RawClient client = gateway.client().within(LONG)) {
            client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
            Http2Client connection = origin.accept();
            connection.response(1);
            for (int i = 0; i < 200; i++) {
                connection.headers(1, Http2Client.NONE, ":status", "103", "link", "</a>");
            }
            assertThat(client.readResponse().status()).isEqualTo(502);
        }
    }

    /**
     * Header blocks are not subject to flow control; bytes that wait for a client that does not read are bounded nevertheless.
     */
    @Test
    @Rfc({"9110, 15.2", "9113, 5.2"})
    void anHttp2ClientThatDoesNotReadPausesItsOrigins() throws Exception {
        String hints = ("HTTP/1.1 103 Early Hints\r\nset-cookie: " + "c".repeat(4000) + "\r\n\r\n").repeat(100);
        try (ScriptedOrigin origin = ScriptedOrigin.answeringWhoStays(
                        (r, c) -> c.within(LONG).send(hints));
                Running gateway = Setup.to(origin.address()).start();
                Http2Client client = Http2Client.silentWithReceiveBuffer(
                                gateway.gateway().address("main"), 4096)
                        .within(LONG)) {
            long before = PooledByteBufAllocator.DEFAULT.pinnedDirectMemory();
            client.preface();
            for (int i = 0; i < 90; i++) {
                client.get(2 * i + 1, "/");
            }
            origin.awaitRequests(20);
            for (int i = 0; i < 20; i++) {
                Thread.sleep(50);
                assertThat(PooledByteBufAllocator.DEFAULT.pinnedDirectMemory() - before)
                        .isLessThan(12 << 20);
            }
        }
    }
}
