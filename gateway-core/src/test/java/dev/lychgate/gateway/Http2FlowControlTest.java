package dev.lychgate.gateway;

import static dev.lychgate.testing.Http2Client.DATA;
import static dev.lychgate.testing.Http2Client.INITIAL_WINDOW;
import static dev.lychgate.testing.Http2Client.PADDED;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.config.ByteSize;
import dev.lychgate.config.Http2Config;
import dev.lychgate.config.PoolConfig;
import dev.lychgate.error.ErrorKind;
import dev.lychgate.http2.Http2Error;
import dev.lychgate.loop.MemoryBudget;
import dev.lychgate.testing.ConnectionScript;
import dev.lychgate.testing.Eventually;
import dev.lychgate.testing.Gate;
import dev.lychgate.testing.Http2Client;
import dev.lychgate.testing.Responses;
import dev.lychgate.testing.Rfc;
import dev.lychgate.testing.ScriptedOrigin;
import io.netty.buffer.PooledByteBufAllocator;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Windows: no sender exceeds its window, all bytes arrive in the end, and a stalled stream does not stall others. */
@Tag("slow")
class Http2FlowControlTest {
    private static final int KIB = 1024;
    /** More than all buffers on the way can hold. */
    private static final int LARGE = 100_000_000;

    private static Http2Config windows(int stream, int connection) {
        Http2Config usual = Http2Config.DEFAULT;
        return new Http2Config(usual.streams(), ByteSize.ofKiB(stream), ByteSize.ofKiB(connection), usual.resets());
    }

    private static long pinned() {
        return PooledByteBufAllocator.DEFAULT.pinnedDirectMemory();
    }

    /** An origin that responds with the number of bytes in the path. */
    private static ScriptedOrigin sending() {
        return ScriptedOrigin.answeringWhoStays((r, c) -> {
            int bytes = Integer.parseInt(r.target().substring(1));
            c.within(Duration.ofSeconds(60)).send(Responses.head(200, "Content-Length: " + bytes) + "\r\n");
            byte[] piece = new byte[64 * KIB];
            for (int left = bytes; left > 0; left -= piece.length) {
                c.send(left < piece.length ? new byte[left] : piece);
            }
        });
    }

    /** An origin that reads no body on {@code /stalled} before the gate opens. */
    private static ScriptedOrigin taking(Gate gate) {
        ConnectionScript script = c -> {
            c.within(Duration.ofSeconds(60));
            var head = c.readHead();
            if (head.target().equals("/stalled")) {
                gate.await(Duration.ofSeconds(60));
            }
            c.send(Responses.of(200, "got " + c.readBody(head).body().length(), "Connection: close"));
            c.awaitEnd();
        };
        return ScriptedOrigin.startWithReceiveBuffer(16 * KIB).onConnection(script.untilThePeerLeaves());
    }

    @Test
    @Rfc("9113, 6.9.2")
    void sendsABodyOnlyAfterItsWindowOpens() throws Exception {
        try (ScriptedOrigin origin = sending();
                Running gateway = Setup.to(origin.address()).start();
                Http2Client client = gateway.http2(INITIAL_WINDOW, 0).openingNoWindow()) {
            client.get(1, "/3000");
            client.await("head", () -> client.stream(1).hasHead());
            assertThat(client.sync().stream(1).bytes()).isZero();
            client.windowUpdate(1, 1000);
            client.await("1000 bytes", () -> client.stream(1).bytes() == 1000);
            assertThat(client.sync().stream(1).bytes()).isEqualTo(1000);
            client.settings(INITIAL_WINDOW, 500);
            client.await("1500 bytes", () -> client.stream(1).bytes() == 1500);
            client.settings(INITIAL_WINDOW, 100_000);
            assertThat(client.response(1).bytes()).isEqualTo(3000);
        }
    }

    @Test
    @Rfc("9113, 6.9.2")
    void aSettingMayMakeAWindowNegative() throws Exception {
        try (ScriptedOrigin origin = sending();
                Running gateway = Setup.to(origin.address()).start();
                Http2Client client = gateway.http2(INITIAL_WINDOW, 1000).openingNoWindow()) {
            client.get(1, "/3000");
            client.await("1000 bytes", () -> client.stream(1).bytes() == 1000);
            client.settings(INITIAL_WINDOW, 100).windowUpdate(1, 900).sync();
            assertThat(client.sync().stream(1).bytes()).isEqualTo(1000);
            client.windowUpdate(1, 1);
            client.await("a byte more", () -> client.stream(1).bytes() == 1001);
            assertThat(client.windowUpdate(1, 5000).response(1).bytes()).isEqualTo(3000);
        }
    }

    @Test
    @Rfc("9113, 6.9.1")
    void emptyResponsesAndTrailersNeedNoWindow() throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.answering((r, c) ->
                        c.send(Responses.head(200, "Transfer-Encoding: chunked") + "\r\n0\r\nX-Sum: 0\r\n\r\n"));
                Running gateway = Setup.to(origin.address()).start();
                Http2Client client = gateway.http2(INITIAL_WINDOW, 0)) {
            assertThat(client.get(1, "/").response(1).trailers()).hasSize(1);
        }
    }

    @Test
    @Rfc("9113, 6.9.2")
    void aSettingThatMakesAWindowTooLargeEndsTheConnection() throws Exception {
        // Any bytes of the origin would reduce the window again.
        try (ScriptedOrigin origin = ScriptedOrigin.answeringWhoStays((r, c) -> {});
                Running gateway = Setup.to(origin.address()).start();
                Http2Client client = gateway.http2(INITIAL_WINDOW, 0)) {
            client.get(1, "/").windowUpdate(1, Integer.MAX_VALUE).settings(INITIAL_WINDOW, 1);
            assertThat(client.awaitGoAwayAndEnd().error()).isEqualTo(Http2Error.FLOW_CONTROL_ERROR);
        }
    }

    @Test
    void aConnectionsClosedWindowHoldsBodiesButNotHeads() throws Exception {
        try (ScriptedOrigin origin = sending();
                Running gateway = Setup.to(origin.address()).start();
                Http2Client client = gateway.http2(INITIAL_WINDOW, 1_000_000).openingNoWindow()) {
            client.get(1, "/100000");
            client.await("all the window", () -> client.stream(1).bytes() == 65_535);
            client.get(3, "/10").get(5, "/0");
            assertThat(client.response(5).status()).isEqualTo(200);
            client.await("head", () -> client.stream(3).hasHead());
            assertThat(client.sync().stream(3).bytes()).isZero();
            client.windowUpdate(0, 100_000);
            assertThat(client.response(3).bytes()).isEqualTo(10);
            assertThat(client.response(1).bytes()).isEqualTo(100_000);
        }
    }

    @Test
    void heldBytesOfAResetStreamNoLongerCountAgainstOthers() throws Exception {
        try (ScriptedOrigin origin = sending();
                Running gateway = Setup.to(origin.address()).start();
                Http2Client client = gateway.http2(INITIAL_WINDOW, 0).openingNoWindow()) {
            // Together more than a connection may hold: unless it is returned, no later one would be served.
            for (int i = 1; i < 160; i += 2) {
                int stream = i;
                client.get(stream, "/60000");
                client.await("head", () -> client.stream(stream).hasHead());
                client.cancel(stream);
            }
            client.get(301, "/60000").windowUpdate(301, 60_000);
            assertThat(client.response(301).bytes()).isEqualTo(60_000);
        }
    }

    @Test
    @Rfc("9113, 5.2.2")
    void anUploadToAStalledOriginFillsItsWindowAndNoMore() throws Exception {
        Gate gate = new Gate();
        try (ScriptedOrigin origin = taking(gate);
                Running gateway =
                        Setup.to(origin.address()).http2(windows(64, 256)).start();
                Http2Client client =
                        gateway.http2().within(Duration.ofSeconds(30)).sync()) {
            client.post(1, "/stalled");
            long taken = 0;
            // Until the window has not been opened for the time of a whole exchange on another stream.
            for (int stream = 3; stream < 2000; stream += 2) {
                long left = 64 * KIB + client.credit(1) - taken;
                if (left == 0) {
                    break;
                }
                client.data(1, new byte[(int) Math.min(left, 16 * KIB)], false);
                taken += Math.min(left, 16 * KIB);
                client.post(stream, "/goes").data(stream, "x", true);
                assertThat(client.response(stream).body()).isEqualTo("got 1");
            }
            long all = taken;
            Eventually.eventually(() -> {
                client.sync();
                assertThat(client.credit(1)).isEqualTo(all - 64 * KIB);
            });
            // Beyond it, only the stream ends.
            client.data(1, new byte[1], false);
            assertThat(client.awaitReset(1)).isEqualTo(Http2Error.FLOW_CONTROL_ERROR);
            client.post(3001, "/goes").upload(3001, 1_000_000);
            assertThat(client.response(3001).body()).isEqualTo("got 1000000");
            gate.open();
        }
    }

    @Test
    @Rfc("9113, 6.9")
    void heldBytesOfResetStreamsReturnToTheConnectionWindow() throws Exception {
        Gate gate = new Gate();
        try (ScriptedOrigin origin = taking(gate);
                Running gateway =
                        Setup.to(origin.address()).http2(windows(64, 256)).start();
                Http2Client client = gateway.http2().sync()) {
            for (int stream = 1; stream < 40; stream += 2) {
                client.post(stream, "/stalled");
                for (int i = 0; i < 4; i++) {
                    int at = stream;
                    client.await("window of the connection", () -> 65_535 + client.credit(0) >= 16 * KIB);
                    client.data(at, new byte[16 * KIB], false).upload(0, 0);
                }
                client.cancel(stream);
            }
            client.sync();
            client.post(101, "/goes").data(101, "x", true);
            assertThat(client.response(101).body()).isEqualTo("got 1");
            gate.open();
        }
    }

    @Test
    @Rfc("9113, 6.9.1")
    void moreThanTheConnectionsWindowEndsTheConnection() throws Exception {
        Gate gate = new Gate();
        try (ScriptedOrigin origin = taking(gate);
                Running gateway =
                        Setup.to(origin.address()).http2(windows(64 * KIB, 64)).start();
                Http2Client client = gateway.http2().sync()) {
            client.post(1, "/stalled");
            try {
                for (int i = 0; i < 2000; i++) {
                    client.data(1, new byte[16 * KIB], false);
                }
            } catch (java.net.SocketException ended) {
                // As it should be.
            }
            client.awaitGoAwayAndEnd();
            assertThat(client.goAways().get(0).error()).isEqualTo(Http2Error.FLOW_CONTROL_ERROR);
            gate.open();
        }
    }

    @Test
    @Rfc("9113, 6.9.1")
    void paddingCountsAndIsReturned() throws Exception {
        try (ScriptedOrigin origin = taking(new Gate());
                Running gateway =
                        Setup.to(origin.address()).http2(windows(64, 64)).start();
                Http2Client client = gateway.http2().sync()) {
            client.post(1, "/");
            byte[] padded = new byte[1 + 1 + 255];
            padded[0] = (byte) 255;
            for (int i = 0; i < 1000; i++) {
                client.frame(DATA, PADDED, 1, padded);
                if (i % 100 == 0) {
                    client.sync();
                }
            }
            assertThat(client.data(1, "", true).response(1).body()).isEqualTo("got 1000");
        }
    }

    /** RFC 9113, 6.9.2: before the client can receive a smaller window, it may send as much as the default allows. */
    @Test
    @Rfc("9113, 6.9.2")
    void bytesBeforeTheSettingsAreLimitedByTheInitialWindow() throws Exception {
        try (ScriptedOrigin origin = taking(new Gate());
                Running gateway =
                        Setup.to(origin.address()).http2(windows(16, 64)).start();
                Http2Client client = gateway.http2().answeringNothing()) {
            client.post(1, "/");
            for (int i = 0; i < 6; i++) {
                client.data(1, new byte[10_000], i == 5);
            }
            assertThat(client.response(1).body()).isEqualTo("got 60000");
            client.frame(Http2Client.SETTINGS, Http2Client.ACK, 0).post(3, "/");
            client.data(3, new byte[16 * KIB], false).data(3, new byte[1], false);
            client.sync();
        }
    }

    @Test
    void aDownloadWaitsForItsReaderAndArrivesWhole() throws Exception {
        try (ScriptedOrigin origin = sending();
                Running gateway = Setup.to(origin.address()).start();
                Http2Client client = gateway.http2()
                        .within(Duration.ofSeconds(60))
                        .counting(1)
                        .openingNoWindow()) {
            long before = pinned();
            client.get(1, "/" + LARGE);
            client.await("the first window", () -> client.stream(1).bytes() == 65_535);
            client.sync();
            assertThat(pinned() - before).isLessThan(2 << 20);
            for (long open = 65_535; open < LARGE; open += 1 << 20) {
                client.windowUpdate(0, 1 << 20).windowUpdate(1, 1 << 20);
                long next = Math.min(LARGE, open + (1 << 20));
                client.await("what was asked for", () -> client.stream(1).bytes() >= next);
            }
            assertThat(client.response(1).bytes()).isEqualTo(LARGE);
        }
    }

    @Test
    void aLargeUploadArrivesWholeAtASlowOrigin() throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.start().onConnection(c -> {
                    c.within(Duration.ofSeconds(60));
                    var head = c.readHead();
                    for (int i = 0; i < 10; i++) {
                        c.readBytes(1_000_000);
                        Thread.sleep(20);
                    }
                    c.readBytes(LARGE - 10_000_000);
                    c.send(Responses.ok("whole " + head.value("content-length").orElseThrow()));
                    c.awaitEnd();
                });
                Running gateway = Setup.to(origin.address()).start();
                Http2Client client =
                        gateway.http2().within(Duration.ofSeconds(60)).sync()) {
            long before = pinned();
            client.post(1, "/", "content-length", Integer.toString(LARGE)).upload(1, LARGE);
            assertThat(pinned() - before).isLessThan(4 << 20);
            assertThat(client.response(1).body()).isEqualTo("whole " + LARGE);
        }
    }

    /** The windows of each connection limit its early bytes; thousands of connections share one limit. */
    @Test
    void rejectsTheNextBodyIfTooManyBytesWaitAndHoldsNoneOfIt() throws Exception {
        Gate gate = new Gate();
        long others = MemoryBudget.OF_PROCESS.left() - 100_000;
        assertThat(MemoryBudget.OF_PROCESS.take(others)).isTrue();
        try (ScriptedOrigin origin = taking(gate);
                Running gateway = Setup.to(origin.address())
                        .pool(new PoolConfig(1, 10, Duration.ofSeconds(30), Duration.ofSeconds(30), 0))
                        .start();
                Http2Client client =
                        gateway.http2().within(Duration.ofSeconds(30)).sync()) {
            client.get(1, "/stalled");
            origin.awaitRequests(1);
            // Waits for the one connection that there is.
            client.post(3, "/", "content-length", "200000");
            client.upload(3, 200_000);
            assertThat(client.response(3).status()).isEqualTo(503);
            assertThat(gateway.nextOutcome().error()).isEqualTo(ErrorKind.OVERLOADED);
            Eventually.eventually(
                    () -> assertThat(MemoryBudget.OF_PROCESS.left()).isGreaterThanOrEqualTo(100_000));
            gate.open();
            assertThat(client.response(1).status()).isEqualTo(200);
        } finally {
            MemoryBudget.OF_PROCESS.giveBack(others);
        }
    }

    /**
     * Small chunks among large ones must not retain the buffers in which they arrived: otherwise the window would be no bound.
     */
    @Test
    void aBodyThatWaitsInSmallPiecesKeepsNoMoreThanItsWindow() throws Exception {
        Gate gate = new Gate();
        try (ScriptedOrigin origin = taking(gate);
                Running gateway = Setup.to(origin.address())
                        .http2(windows(256, 1024))
                        .pool(new PoolConfig(1, 10, Duration.ofSeconds(30), Duration.ofSeconds(30), 0))
                        .start();
                Http2Client client =
                        gateway.http2().within(Duration.ofSeconds(30)).sync()) {
            client.get(1, "/stalled");
            origin.awaitRequests(1);
            // Waits for the one connection that there is.
            client.post(3, "/").sync();
            long before = pinned();
            byte[] noise = Http2Client.bytes(99, 0, 0, new byte[16 * KIB]);
            byte[] piece = Http2Client.bytes(DATA, 0, 3, new byte[600]);
            for (int i = 0; i < 400; i++) {
                client.send(noise).send(piece);
            }
            client.sync();
            assertThat(pinned() - before).isLessThan(1 << 20);
            gate.open();
        }
    }
}
