package dev.lychgate.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.lychgate.config.EndpointConfig;
import dev.lychgate.config.OriginTlsConfig;
import dev.lychgate.config.TlsConfig;
import dev.lychgate.config.TlsProvider;
import dev.lychgate.config.UpstreamConfig;
import dev.lychgate.testing.Certificates;
import dev.lychgate.testing.OpenSslClient;
import dev.lychgate.testing.RawMessage;
import dev.lychgate.testing.ScriptedOrigin;
import dev.lychgate.testing.TlsClient;
import dev.lychgate.testing.WithEachTlsProvider;
import io.netty.buffer.PooledByteBufAllocator;
import java.net.SocketException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Large bodies with TLS on both sides, and truncated responses. */
@Tag("slow")
@Tag("each-jdk")
class TlsTransfersTest extends WithEachTlsProvider {
    private static final Certificates CA = Certificates.authority("Test Authority");
    private static final int PIECE = 1 << 16;
    private static final int PIECES = 512;
    /** Far below the 32 MiB on their way. */
    private static final long ALLOWED_GROWTH = 16L << 20;

    private TlsConfig site() {
        return TlsConfig.of(Certificates.pem(directory, "site", CA.issue("lychgate.test")))
                .withProvider(provider);
    }

    private Running between(ScriptedOrigin origin) {
        OriginTlsConfig tls =
                OriginTlsConfig.DEFAULT.withCa(CA.writeCa(directory, "ca.pem")).withProvider(provider);
        return new Setup()
                .tls(site())
                .upstream(UpstreamConfig.of("origin", EndpointConfig.parse("https://127.0.0.1:" + origin.port()))
                        .withTls(tls))
                .start();
    }

    private static ScriptedOrigin origin() {
        return ScriptedOrigin.start().overTls(CA.context(CA.issue("127.0.0.1")), false);
    }

    private static TlsClient connect(Running gateway) throws Exception {
        return TlsClient.connect(gateway.gateway().address("main"), CA.context(null), "lychgate.test");
    }

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

    @Test
    void aDownloadWaitsForItsReaderAndArrivesWhole() throws Exception {
        try (ScriptedOrigin origin = origin().onConnection(c -> {
                    c.readRequest();
                    c.send("HTTP/1.1 200 OK\r\nContent-Length: " + (long) PIECE * PIECES + "\r\n\r\n");
                    for (int i = 0; i < PIECES; i++) {
                        c.send(piece(i));
                    }
                });
                Running gateway = between(origin);
                TlsClient client = connect(gateway)) {
            client.raw().send("GET / HTTP/1.1\r\nHost: a\r\n\r\n").readHead();
            long before = directMemory();
            TimeUnit.MILLISECONDS.sleep(700);
            assertThat(directMemory() - before).isLessThan(ALLOWED_GROWTH);
            CRC32 crc = new CRC32();
            for (int i = 0; i < PIECES; i++) {
                crc.update(client.raw().readBytes(PIECE));
            }
            assertThat(crc.getValue()).isEqualTo(checksum());
        }
    }

    @Test
    void anUploadWaitsForItsReaderAndArrivesWhole() throws Exception {
        try (ScriptedOrigin origin = origin().onConnection(c -> {
                    c.readHead();
                    TimeUnit.MILLISECONDS.sleep(700);
                    CRC32 crc = new CRC32();
                    for (int i = 0; i < PIECES; i++) {
                        crc.update(c.readBytes(PIECE));
                    }
                    String sum = Long.toString(crc.getValue());
                    c.send("HTTP/1.1 200 OK\r\nContent-Length: " + sum.length() + "\r\n\r\n" + sum);
                });
                Running gateway = between(origin);
                TlsClient client = connect(gateway)) {
            long before = directMemory();
            client.raw().send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: " + (long) PIECE * PIECES + "\r\n\r\n");
            for (int i = 0; i < PIECES; i++) {
                client.raw().send(piece(i));
            }
            assertThat(directMemory() - before).isLessThan(ALLOWED_GROWTH);
            RawMessage answer = client.raw().readResponse();
            assertThat(answer.body()).isEqualTo(Long.toString(checksum()));
        }
    }

    @Test
    void aResponseToAnUnreadUploadArrivesComplete() throws Exception {
        try (ScriptedOrigin origin = origin();
                Running gateway = new Setup()
                        .tls(site())
                        .upstream(UpstreamConfig.of("origin", new EndpointConfig("127.0.0.1", origin.port())))
                        .bodyLimit(dev.lychgate.config.ByteSize.ofKiB(1))
                        .start();
                TlsClient client = connect(gateway)) {
            client.raw()
                    .send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\n")
                    .send(piece(1));
            assertThat(client.raw().readResponse().status()).isEqualTo(413);
            // More than is thrown away to keep the connection.
            try {
                for (int i = 0; i < 6; i++) {
                    client.raw().send(piece(i));
                }
            } catch (SocketException gone) {
                // It was closed before all of it had been sent, which is as good.
                return;
            }
            client.raw().expectClosed();
        }
    }

    /** With HTTP/1.0, where only the end of the connection marks the end of the response. */
    @Test
    void aTruncatedResponseIsNotComplete() throws Exception {
        assumeTrue(OpenSslClient.isThere(), "there is no openssl on this machine");
        try (ScriptedOrigin origin = ScriptedOrigin.start()
                        .onNextConnection(c -> {
                            c.readRequest();
                            c.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nwhole\r\n0\r\n\r\n");
                        })
                        .onNextConnection(c -> {
                            c.readRequest();
                            c.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhalf-");
                            TimeUnit.MILLISECONDS.sleep(200);
                        });
                Running gateway = Setup.to(origin.address()).tls(site()).start()) {
            OpenSslClient client = new OpenSslClient(gateway.gateway().address("main")).speakingHttp10();
            // The TLS bytes at the client: the alert close_notify is 01 00.
            assertThat(client.get("lychgate.test", "-msg"))
                    .contains("whole")
                    .containsPattern("<<< .*Alert.*warning close_notify");
            assertThat(client.get("lychgate.test", "-msg")).doesNotContainPattern("<<< .*Alert.*warning close_notify");
        }
    }

    @Test
    void sendsTheConfiguredOcspResponse() throws Exception {
        assumeTrue(provider == TlsProvider.OPENSSL, "the JDK's TLS does not support it");
        assumeTrue(OpenSslClient.isThere(), "there is no openssl on this machine");
        // Only the status "successful": the remaining content concerns the authority and the client.
        byte[] response = {0x30, 0x03, 0x0a, 0x01, 0x00};
        Path file = Files.write(directory.resolve("site.ocsp"), response);
        TlsConfig stapled = TlsConfig.of(Certificates.pem(directory, "site", CA.issue("lychgate.test"))
                        .withOcsp(file.toString()))
                .withProvider(provider);
        try (ScriptedOrigin origin = ScriptedOrigin.answering(
                        (request, connection) -> connection.send(dev.lychgate.testing.Responses.ok("hello")));
                Running gateway = Setup.to(origin.address()).tls(stapled).start()) {
            String said = new OpenSslClient(gateway.gateway().address("main")).get("lychgate.test", "-status");
            assertThat(said).contains("OCSP Response Status: successful");
        }
    }
}
