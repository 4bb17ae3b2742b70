package dev.lychgate.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.config.EndpointConfig;
import dev.lychgate.config.OriginTlsConfig;
import dev.lychgate.config.UpstreamConfig;
import dev.lychgate.error.ErrorKind;
import dev.lychgate.loop.MemoryBudget;
import dev.lychgate.testing.Certificates;
import dev.lychgate.testing.Eventually;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.WithEachTlsProvider;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Origins that send the first part of a TLS record and no more: the record counts, and the oldest requests get 503. */
@SuppressWarnings("try") // resources that only have to be there
@Tag("slow")
class HalfOriginRecordsTest extends WithEachTlsProvider {
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final Certificates CA = Certificates.authority("Origin Authority");
    private static final SSLContext CONTEXT = CA.context(CA.issue("127.0.0.1"));
    private static final int LENGTH = 16_000;
    private static final int ROOM = 80_000;

    /** Accepts connections, completes their handshakes or not, and sends all of a record but its last byte. */
    private static final class Origin implements AutoCloseable {
        private final ServerSocket server = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
        private final List<Socket> accepted = new CopyOnWriteArrayList<>();
        private final boolean handshakes;

        Origin(boolean handshakes) throws IOException {
            this.handshakes = handshakes;
            start(this::serve);
        }

        private void serve() {
            try {
                while (true) {
                    Socket socket = server.accept();
                    accepted.add(socket);
                    start(() -> respond(socket));
                }
            } catch (IOException closed) {
                // The end of the test.
            }
        }

        private void respond(Socket socket) {
            try {
                if (handshakes) {
                    SSLSocket tls =
                            (SSLSocket) CONTEXT.getSocketFactory().createSocket(socket, null, socket.getPort(), false);
                    // A TLS socket that is collected closes its connection.
                    accepted.add(tls);
                    tls.setUseClientMode(false);
                    tls.startHandshake();
                    tls.getInputStream().read();
                }
                byte[] half = new byte[5 + LENGTH - 1];
                half[0] = (byte) (handshakes ? 23 : 22);
                half[1] = 3;
                half[2] = 3;
                half[3] = (byte) (LENGTH >> 8);
                half[4] = (byte) LENGTH;
                socket.getOutputStream().write(half);
            } catch (IOException closed) {
                // By the gateway.
            }
        }

        private static void start(Runnable task) {
            Thread thread = new Thread(task, "half records");
            thread.setDaemon(true);
            thread.start();
        }

        @Override
        public void close() throws IOException {
            server.close();
            for (Socket socket : accepted) {
                socket.close();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void reclaimsUnfinishedRecordsOfOrigins(boolean handshakes) throws Exception {
        List<RawClient> clients = new ArrayList<>();
        try (Origin origin = new Origin(handshakes)) {
            UpstreamConfig upstream = UpstreamConfig.of(
                            "origin", EndpointConfig.parse("https://127.0.0.1:" + origin.server.getLocalPort()))
                    .withTls(OriginTlsConfig.DEFAULT
                            .withCa(CA.writeCa(directory, "ca.pem"))
                            .withProvider(provider));
            long unused = MemoryBudget.OF_PROCESS.held();
            try (Running gateway = new Setup()
                            .timeouts(Setup.waiting(LONG, LONG, LONG, LONG, LONG))
                            .upstream(upstream)
                            .start();
                    Scarcity scarcity = Scarcity.leaving(ROOM)) {
                for (int i = 0; i < 20; i++) {
                    clients.add(gateway.client().within(LONG).send("GET / HTTP/1.1\r\nHost: a\r\n\r\n"));
                }
                for (int i = 0; i < 20 - ROOM / LENGTH; i++) {
                    assertThat(gateway.nextOutcome().error()).isEqualTo(ErrorKind.OVERLOADED);
                }
                clients.forEach(RawClient::close);
            }
            Eventually.eventually(
                    LONG, () -> assertThat(MemoryBudget.OF_PROCESS.held()).isLessThanOrEqualTo(unused));
        } finally {
            clients.forEach(RawClient::close);
        }
    }
}
