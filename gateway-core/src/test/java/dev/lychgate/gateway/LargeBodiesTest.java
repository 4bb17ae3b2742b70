package dev.lychgate.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.config.ByteSize;
import dev.lychgate.config.SocketOptions;
import dev.lychgate.config.Transport;
import dev.lychgate.testing.Gate;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.RawMessage;
import dev.lychgate.testing.Responses;
import dev.lychgate.testing.Rfc;
import dev.lychgate.testing.ScriptedOrigin;
import io.netty.buffer.PooledByteBufAllocator;
import java.time.Duration;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** 64 MiB in either direction to a peer that stops reading: complete in the end, and never in the gateway's memory. */
@ParameterizedClass
@EnumSource(names = {"AUTO", "NIO"})
@Tag("slow")
@Tag("each-jdk")
class LargeBodiesTest {
    private static final int PIECE = 1 << 16;
    private static final int PIECES = 1024;
    /** Far below the 64 MiB on their way; chunks of the allocator are 4 MiB. */
    private static final long ALLOWED_GROWTH = 24L << 20;

    @Parameter
    @SuppressWarnings("NullAway.Init") // by JUnit
    Transport transport;

    private static byte[] piece(int number) {
        byte[] piece = new byte[PIECE];
        Arrays.fill(piece, (byte) (number * 31 + 7));
        return piece;
    }

    private static long checksum() {
        CRC32 crc = new CRC32();
        for (int i = 0; i < PIECES; i++) {
            crc.update(piece(i));
        }
        return crc.getValue();
    }

    private static long directMemory() {
        return PooledByteBufAllocator.DEFAULT.metric().usedDirectMemory();
    }

    /** Waits until a sender makes no more progress: all buffers between it and the stalled reader are full. */
    private static void awaitStandstill(java.util.function.LongSupplier sent) throws InterruptedException {
        long before = -1;
        for (long now = sent.getAsLong(); now == 0 || now != before; now = sent.getAsLong()) {
            before = now;
            TimeUnit.MILLISECONDS.sleep(300);
        }
    }

    @Test
    void aDownloadWaitsForItsReaderAndArrivesWhole() throws Exception {
        var connection = new java.util.concurrent.CompletableFuture<dev.lychgate.testing.ScriptedConnection>();
        try (ScriptedOrigin origin = ScriptedOrigin.start().onConnection(c -> {
                    c.within(Duration.ofSeconds(60)).readRequest();
                    connection.complete(c);
                    c.send(Responses.head(200, "Content-Length: " + (long) PIECE * PIECES) + "\r\n");
                    for (int i = 0; i < PIECES; i++) {
                        c.send(piece(i));
                    }
                });
                Running gateway =
                        Setup.to(origin.address()).transport(transport).start();
                RawClient client = gateway.client().within(Duration.ofSeconds(60))) {
            long before = directMemory();
            client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
            awaitStandstill(connection.get(10, TimeUnit.SECONDS)::bytesSent);
            assertThat(connection.join().bytesSent()).isLessThan((long) PIECE * PIECES);
            assertThat(directMemory() - before).isLessThan(ALLOWED_GROWTH);
            client.readHead();
            CRC32 crc = new CRC32();
            for (int i = 0; i < PIECES; i++) {
                crc.update(client.readBytes(PIECE));
            }
            assertThat(crc.getValue()).isEqualTo(checksum());
            assertThat(gateway.nextOutcome().responseBytes()).isEqualTo((long) PIECE * PIECES);
            assertThat(directMemory() - before).isLessThan(ALLOWED_GROWTH);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {96, 112, 128, 144, 160, 176, 192, 224, 256, 288, 320, 384})
    @Rfc("9112, 9.6")
    void bytesSentBeforeACloseReachASlowReader(int kibibytes) throws Exception {
        // More than the buffers of the client's side, so that reading is paused; little enough that the origin can send
        // all of it and close: the close is detected long before its last byte is read.
        SocketOptions d = SocketOptions.DEFAULT;
        SocketOptions small = new SocketOptions(
                d.backlog(), false, d.receiveBuffer(), ByteSize.ofKiB(16), ByteSize.ofKiB(16), ByteSize.ofKiB(32));
        byte[] body = new byte[kibibytes << 10];
        new Random(kibibytes).nextBytes(body);
        try (ScriptedOrigin origin = ScriptedOrigin.start().onConnection(c -> {
                    c.readRequest();
                    c.send("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: " + body.length + "\r\n\r\n");
                    c.send(body);
                });
                Running gateway = Setup.to(origin.address())
                        .transport(transport)
                        .socket(small)
                        .start();
                RawClient client =
                        RawClient.connectWithReceiveBuffer(gateway.gateway().address("main"), 4096)) {
            client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
            origin.awaitRequests(1);
            TimeUnit.MILLISECONDS.sleep(300);
            client.readHead();
            assertThat(client.readBytes(body.length)).isEqualTo(body);
            assertThat(gateway.nextOutcome().error()).isNull();
        }
    }

    @Test
    void anUploadWaitsForItsReaderAndArrivesWhole() throws Exception {
        Gate gate = new Gate();
        try (ScriptedOrigin origin = ScriptedOrigin.start().onConnection(c -> {
                    c.within(Duration.ofSeconds(60)).readHead();
                    gate.await(Duration.ofSeconds(60));
                    CRC32 crc = new CRC32();
                    for (int i = 0; i < PIECES; i++) {
                        crc.update(c.readBytes(PIECE));
                    }
                    c.send(Responses.ok(Long.toHexString(crc.getValue())));
                });
                Running gateway =
                        Setup.to(origin.address()).transport(transport).start();
                RawClient client = gateway.client().within(Duration.ofSeconds(60))) {
            long before = directMemory();
            Thread sender = new Thread(() -> upload(client));
            sender.start();
            origin.awaitRequests(1);
            awaitStandstill(client::bytesSent);
            assertThat(client.bytesSent()).isLessThan((long) PIECE * PIECES);
            assertThat(directMemory() - before).isLessThan(ALLOWED_GROWTH);
            gate.open();
            RawMessage response = client.readResponse();
            sender.join();
            assertThat(response.body()).isEqualTo(Long.toHexString(checksum()));
            assertThat(gateway.nextOutcome().requestBytes()).isEqualTo((long) PIECE * PIECES);
        }
    }

    private static void upload(RawClient client) {
        try {
            client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: " + (long) PIECE * PIECES + "\r\n\r\n");
            for (int i = 0; i < PIECES; i++) {
                client.send(piece(i));
            }
        } catch (java.io.IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @Test
    void aBodyOfOneByteChunksIsNotQueuedAsOneByteBuffers() throws Exception {
        int bytes = 200_000;
        try (ScriptedOrigin origin = ScriptedOrigin.start().onConnection(c -> {
                    c.within(Duration.ofSeconds(60)).readRequest();
                    c.send(Responses.head(200, "Transfer-Encoding: chunked") + "\r\n");
                    c.send("1\r\nx\r\n".repeat(bytes) + "0\r\n\r\n");
                });
                Running gateway =
                        Setup.to(origin.address()).transport(transport).start();
                RawClient client = gateway.client().within(Duration.ofSeconds(60))) {
            long before = directMemory();
            client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
            assertThat(client.readResponse().body()).hasSize(bytes).matches("x*");
            assertThat(directMemory() - before).isLessThan(ALLOWED_GROWTH);
        }
    }
}
