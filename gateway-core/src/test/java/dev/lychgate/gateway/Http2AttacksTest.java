package dev.lychgate.gateway;

import static dev.lychgate.testing.Http2Client.CONTINUATION;
import static dev.lychgate.testing.Http2Client.DATA;
import static dev.lychgate.testing.Http2Client.END_HEADERS;
import static dev.lychgate.testing.Http2Client.END_STREAM;
import static dev.lychgate.testing.Http2Client.HEADERS;
import static dev.lychgate.testing.Http2Client.INITIAL_WINDOW;
import static dev.lychgate.testing.Http2Client.NONE;
import static dev.lychgate.testing.Http2Client.PING;
import static dev.lychgate.testing.Http2Client.PRIORITY;
import static dev.lychgate.testing.Http2Client.TABLE_SIZE;
import static dev.lychgate.testing.Http2Client.WITH_PRIORITY;
import static dev.lychgate.testing.Http2Client.block;
import static dev.lychgate.testing.Http2Client.request;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.config.ByteSize;
import dev.lychgate.error.ErrorKind;
import dev.lychgate.http2.Http2Error;
import dev.lychgate.testing.Http2Client;
import dev.lychgate.testing.Responses;
import dev.lychgate.testing.Rfc;
import dev.lychgate.testing.ScriptedOrigin;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.SocketException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Known attacks on HTTP/2 servers, in small: each is ended because of its behavior and not because of its costs. */
@Tag("slow")
class Http2AttacksTest {
    /** More than any limit permits. */
    private static final int MANY = 4000;

    private interface Step {
        void number(int n) throws IOException;
    }

    /** Does {@code step} over and over; fails unless the connection is ended for it within {@code most} times. */
    private static void assertCutOff(Http2Client client, int most, Step step) throws IOException {
        try {
            for (int i = 0; i < most; i++) {
                step.number(i);
            }
        } catch (SocketException ended) {
            // As it should be.
        }
        // An acknowledgement of settings that have just arrived would fail on a connection that has ended.
        client.answeringNothing();
        assertThat(client.awaitGoAwayAndEnd().error()).isEqualTo(Http2Error.ENHANCE_YOUR_CALM);
    }

    private static ScriptedOrigin silent() {
        return ScriptedOrigin.start().onConnection(c -> c.awaitEnd());
    }

    @Test
    @Rfc("9113, 10.5")
    void endsConnectionsThatResetRapidly() throws Exception {
        try (ScriptedOrigin origin = silent();
                Running gateway = Setup.to(origin.address())
                        .http2(Http2FaultsTest.limits(100, 20))
                        .start();
                Http2Client client = gateway.http2()) {
            assertCutOff(client, 30, n -> client.get(2 * n + 1, "/").cancel(2 * n + 1));
            assertThat(gateway.counters().http2Faults(Http2Error.ENHANCE_YOUR_CALM))
                    .isEqualTo(1);
        }
    }

    static Stream<Http2Misdeed> waysToMakeUsReset() {
        return Stream.concat(
                Http2Misdeed.endingStreams(),
                Stream.of(
                        new Http2Misdeed(
                                "a malformed request",
                                Http2Error.PROTOCOL_ERROR,
                                (c, id) -> c.get(id + 2, "/", "upgrade", "x")),
                        new Http2Misdeed("a request that depends on itself", Http2Error.PROTOCOL_ERROR, (c, id) -> {
                            byte[] fields = block(request("GET", "/"));
                            byte[] payload = new byte[5 + fields.length];
                            System.arraycopy(Http2Client.number(id + 2), 0, payload, 0, 4);
                            System.arraycopy(fields, 0, payload, 5, fields.length);
                            return c.frame(HEADERS, END_HEADERS | END_STREAM | WITH_PRIORITY, id + 2, payload);
                        })));
    }

    /** CVE-2025-8671: it is the gateway that writes the reset, and with another code each time. */
    @ParameterizedTest
    @MethodSource("waysToMakeUsReset")
    @Rfc("9113, 10.5")
    void endsConnectionsThatProvokeResets(Http2Misdeed misdeed) throws Exception {
        try (ScriptedOrigin origin = silent();
                Running gateway = Setup.to(origin.address())
                        .http2(Http2FaultsTest.limits(100, 20))
                        .start();
                Http2Client client = gateway.http2()) {
            assertCutOff(client, 30, n -> {
                client.post(4 * n + 1, "/", "content-length", "5");
                misdeed.on(client, 4 * n + 1);
            });
        }
    }

    @Test
    void aPriorityOnItselfEndsTheConnection() throws Exception {
        try (Running gateway = new Setup().start();
                Http2Client client = gateway.http2()) {
            client.frame(PRIORITY, NONE, 3, (byte) 0, (byte) 0, (byte) 0, (byte) 3, (byte) 0);
            assertThat(client.awaitGoAwayAndEnd().error()).isEqualTo(Http2Error.PROTOCOL_ERROR);
        }
    }

    /** CVE-2024-27316 and similar attacks. */
    @Test
    void endsConnectionsWithEndlessContinuations() throws Exception {
        try (Running gateway = new Setup().start();
                Http2Client empty = gateway.http2();
                Http2Client full = gateway.http2()) {
            empty.frame(HEADERS, NONE, 1);
            assertCutOff(empty, 20, n -> empty.frame(CONTINUATION, NONE, 1));
            full.frame(HEADERS, NONE, 1);
            assertCutOff(full, 8, n -> full.frame(CONTINUATION, NONE, 1, new byte[16_000]));
        }
    }

    /** A value that is in the table once and referred to with one byte each time. */
    @Test
    void anHpackBombIsNeitherUnpackedNorServed() throws Exception {
        ByteArrayOutputStream bomb = new ByteArrayOutputStream();
        bomb.writeBytes(block(request("GET", "/")));
        byte[] literal = block("x", Http2Client.text(3900));
        literal[0] = 0x40; // into the table
        bomb.writeBytes(literal);
        for (int i = 0; i < 10_000; i++) {
            bomb.write(0x80 | 62);
        }
        try (ScriptedOrigin origin = ScriptedOrigin.answering((r, c) -> c.send(Responses.ok("fine")));
                Running gateway = Setup.to(origin.address()).start();
                Http2Client client = gateway.http2()) {
            client.frame(HEADERS, END_HEADERS | END_STREAM, 1, bomb.toByteArray());
            assertThat(client.response(1).status()).isEqualTo(431);
            // The table is unchanged: the connection can be used.
            assertThat(client.get(3, "/").response(3).body()).isEqualTo("fine");
            assertThat(origin.requestsSeen()).isEqualTo(1);
        }
    }

    @Test
    void rejectsManyTinyFieldsAndCookies() throws Exception {
        try (Running gateway = new Setup().headers(20, ByteSize.ofKiB(64)).start();
                Http2Client client = gateway.http2()) {
            String[] crumbs = new String[42];
            for (int i = 0; i < crumbs.length; i += 2) {
                crumbs[i] = "cookie";
                crumbs[i + 1] = "";
            }
            assertThat(client.get(1, "/", crumbs).response(1).status()).isEqualTo(431);
            assertThat(gateway.nextOutcome().error()).isEqualTo(ErrorKind.HEADERS_TOO_LARGE);
            client.sync();
        }
    }

    @Test
    void endsConnectionsThatSendEmptyFrames() throws Exception {
        try (ScriptedOrigin origin = silent();
                Running gateway = Setup.to(origin.address()).start()) {
            try (Http2Client client = gateway.http2().answeringNothing()) {
                assertCutOff(client, MANY, n -> client.frame(PING, NONE, 0, new byte[8]));
            }
            try (Http2Client client = gateway.http2().answeringNothing()) {
                assertCutOff(client, MANY, n -> client.settings());
            }
            try (Http2Client client = gateway.http2()) {
                assertCutOff(client, MANY, n -> client.frame(PRIORITY, NONE, 5, new byte[5]));
            }
            try (Http2Client client = gateway.http2()) {
                assertCutOff(client, MANY, n -> client.frame(99, NONE, 5, new byte[5]));
            }
            try (Http2Client client = gateway.http2()) {
                assertCutOff(client, MANY, n -> client.windowUpdate(0, 1));
            }
            try (Http2Client client = gateway.http2()) {
                client.post(1, "/");
                assertCutOff(client, MANY, n -> client.data(1, "", false));
            }
        }
    }

    @Test
    void endsConnectionsThatSendEmptyDataOnAResetStream() throws Exception {
        try (ScriptedOrigin origin = silent();
                Running gateway = Setup.to(origin.address()).start();
                Http2Client client = gateway.http2()) {
            client.post(1, "/", "content-length", "1").data(1, "12", false);
            assertCutOff(client, MANY, n -> client.data(1, "", false));
        }
    }

    /** One SETTINGS frame may contain 2730 settings, each of which applies to all streams. */
    @Test
    void endsConnectionsWithManySettingsInOneFrame() throws Exception {
        int[] settings = new int[2 * 2700];
        for (int i = 0; i < settings.length; i += 2) {
            settings[i] = INITIAL_WINDOW;
            settings[i + 1] = 65_535 + (i & 2);
        }
        try (ScriptedOrigin origin = silent();
                Running gateway = Setup.to(origin.address()).start();
                Http2Client client = gateway.http2()) {
            client.get(1, "/");
            assertCutOff(client, 2, n -> client.settings(settings));
        }
    }

    /** The gateway's compression has a separate table: Netty limits its size, not the client. */
    @Test
    @Rfc("7541, 4.2")
    void announcesNoTableOfFourGigabytes() throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.answering((r, c) -> c.send(Responses.ok("x")));
                Running gateway = Setup.to(origin.address()).start();
                Http2Client client = gateway.http2(TABLE_SIZE, -1)) {
            client.get(1, "/").response(1);
            int first = client.blocks().get(0)[0];
            assertThat(first & 0xe0).as("no larger table is announced").isNotEqualTo(0x20);
        }
    }

    /** CVE-2019-9511: a response read byte by byte, with a window that never opens further. */
    @Test
    void endsConnectionsThatReadByteByByte() throws Exception {
        try (ScriptedOrigin origin =
                        ScriptedOrigin.answering((r, c) -> c.send(Responses.ok(Http2Client.text(100_000))));
                Running gateway = Setup.to(origin.address()).start();
                Http2Client client = gateway.http2(INITIAL_WINDOW, 0).openingNoWindow()) {
            client.get(1, "/");
            assertCutOff(client, MANY, n -> {
                client.windowUpdate(1, 1);
                client.await(
                        "the byte asked for",
                        () -> client.stream(1).bytes() > n || !client.goAways().isEmpty());
            });
        }
    }

    @Test
    void bodiesInSmallPiecesAreServed() throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.answering((r, c) -> c.send(Responses.ok(r.body())));
                Running gateway = Setup.to(origin.address()).start();
                Http2Client client = gateway.http2()) {
            ByteArrayOutputStream frames = new ByteArrayOutputStream();
            for (int i = 0; i < 10_000; i++) {
                frames.writeBytes(Http2Client.bytes(DATA, NONE, 1, (byte) 'a'));
            }
            client.post(1, "/").send(frames.toByteArray()).data(1, "", true);
            assertThat(client.response(1).body()).hasSize(10_000);
        }
    }
}
