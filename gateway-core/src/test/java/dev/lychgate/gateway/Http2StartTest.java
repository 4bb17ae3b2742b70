package dev.lychgate.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.config.ListenerProtocol;
import dev.lychgate.config.ListenerTimeouts;
import dev.lychgate.http2.Http2Error;
import dev.lychgate.testing.Ending;
import dev.lychgate.testing.Http2Client;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.RawMessage;
import dev.lychgate.testing.Responses;
import dev.lychgate.testing.Rfc;
import dev.lychgate.testing.ScriptedOrigin;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** HTTP/2 and HTTP/1.1 on one port without TLS: the first bytes determine the protocol. */
@Tag("slow")
class Http2StartTest {
    private static final Duration SHORT = Duration.ofMillis(300);
    private static final Duration LONG = Duration.ofSeconds(30);

    private static ScriptedOrigin hello() {
        return ScriptedOrigin.answering((r, c) -> c.send(Responses.ok("hello")));
    }

    @Test
    @Rfc("9113, 3.3")
    void onePortSupportsBothProtocols() throws Exception {
        try (ScriptedOrigin origin = hello();
                Running gateway = Setup.to(origin.address()).start();
                Http2Client two = gateway.http2();
                RawClient one = gateway.client()) {
            assertThat(two.get(1, "/").response(1).body()).isEqualTo("hello");
            assertThat(one.get("/").body()).isEqualTo("hello");
        }
    }

    @Test
    @Rfc("9113, 3.4")
    void aPrefaceMayComeByteByByte() throws Exception {
        try (ScriptedOrigin origin = hello();
                Running gateway = Setup.to(origin.address()).start();
                Http2Client client = Http2Client.silent(gateway.gateway().address("main"))) {
            for (byte b : Http2Client.PREFACE.getBytes(StandardCharsets.US_ASCII)) {
                client.send(new byte[] {b});
            }
            for (byte b : Http2Client.bytes(Http2Client.SETTINGS, 0, 0)) {
                client.send(new byte[] {b});
            }
            assertThat(client.get(1, "/").response(1).body()).isEqualTo("hello");
        }
    }

    @Test
    void aMethodThatBeginsLikeThePrefaceIsHttp1() throws Exception {
        try (ScriptedOrigin origin = hello();
                Running gateway = Setup.to(origin.address()).start();
                RawClient post = gateway.client();
                RawClient pri = gateway.client();
                RawClient prefix = gateway.client()) {
            post.send("P").send("OST / HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n");
            assertThat(post.readResponse().body()).isEqualTo("hello");
            pri.send("PRI ").send("/ HTTP/1.1\r\nHost: a\r\n\r\n");
            assertThat(pri.readResponse().body()).isEqualTo("hello");
            prefix.send("PRI * HTTP/2.0\r\n\r\n").send("XX\r\n\r\n");
            assertThat(prefix.readResponse().status()).isIn(400, 505);
        }
    }

    @Test
    void thePrefaceIsNoRequestWithOnlyHttp1() throws Exception {
        try (ScriptedOrigin origin = hello();
                Running gateway = Setup.to(origin.address())
                        .speaking(ListenerProtocol.HTTP_1_1)
                        .start();
                RawClient client = gateway.client()) {
            client.send(Http2Client.PREFACE);
            assertThat(client.readResponse().status()).isIn(400, 505);
            assertThat(client.awaitEnd()).isEqualTo(Ending.CLOSED);
            assertThat(origin.requestsSeen()).isZero();
        }
    }

    @Test
    @Rfc("9113, 3.4")
    void http1IsAFaultWithOnlyHttp2() throws Exception {
        try (ScriptedOrigin origin = hello();
                Running gateway =
                        Setup.to(origin.address()).speaking(ListenerProtocol.H2).start();
                Http2Client wrong = Http2Client.silent(gateway.gateway().address("main"));
                Http2Client right = gateway.http2()) {
            assertThat(wrong.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
                            .awaitGoAwayAndEnd()
                            .error())
                    .isEqualTo(Http2Error.PROTOCOL_ERROR);
            assertThat(right.get(1, "/").response(1).body()).isEqualTo("hello");
            assertThat(gateway.counters().http2Faults(Http2Error.PROTOCOL_ERROR))
                    .isEqualTo(1);
        }
    }

    @Test
    @Rfc({"9113, 3.1", "9110, 7.8"})
    void anUpgradeToHttp2IsNotAnswered() throws Exception {
        try (ScriptedOrigin origin = hello();
                Running gateway = Setup.to(origin.address()).start();
                RawClient client = gateway.client()) {
            client.send("GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\n"
                    + "HTTP2-Settings: AAMAAABkAAQAoAAAAAIAAAAA\r\n\r\n");
            assertThat(client.readResponse().status()).isEqualTo(200);
            RawMessage asked = origin.requests().get(0);
            assertThat(asked.has("upgrade") || asked.has("http2-settings")).isFalse();
        }
    }

    @Test
    void ambiguousFirstBytesTimeOut() throws Exception {
        try (Running gateway = new Setup()
                        .clients(new ListenerTimeouts(SHORT, LONG, LONG, LONG))
                        .start();
                RawClient client = gateway.client()) {
            client.send("P");
            client.expectClosed();
        }
    }

    @Test
    void ambiguousFirstBytesAreReleasedWithTheirClient() throws Exception {
        try (Running gateway = new Setup().start()) {
            try (RawClient client = gateway.client()) {
                client.send("PRI * HTT");
            }
            dev.lychgate.testing.Eventually.eventually(
                    () -> assertThat(gateway.counters().open()).isZero());
        }
    }
}
