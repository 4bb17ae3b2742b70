package dev.lychgate.server.push;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("slow")
class PushClientTest {
    private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");

    private static PushClient client(int port, Duration timeout) {
        URI url = URI.create("http://127.0.0.1:" + port + "/");
        return new PushClient("test", new PushTarget(url, Map::of, "text/plain", timeout, 100, timeout, false, null));
    }

    @ParameterizedTest
    @CsvSource({
        "429, 7, 7",
        "503, 0, 0",
        "503, ' 12 ', 12",
        "503, 'Sun, 1 Mar 2026 12:00:30 GMT', 30",
        "503, 'Sun, 1 Mar 2026 11:00:00 GMT', 0",
        "503, -1, 0",
        "503, soon, 0",
        "503, 99999999999999999999, 0"
    })
    void readsRetryAfter(int status, String retryAfter, long seconds) {
        HttpHeaders headers = HttpHeaders.of(Map.of("Retry-After", List.of(retryAfter)), (n, v) -> true);
        assertThat(PushClient.of(status, headers, NOW))
                .isEqualTo(new Outcome.Failed("status " + status, Duration.ofSeconds(seconds)));
    }

    @Test
    void waitsForRetryAfterUpToABound() {
        BackOff backOff = new BackOff(Duration.ofSeconds(1), Duration.ofSeconds(30), Duration.ofMinutes(1));
        assertThat(backOff.pause(Duration.ofSeconds(9)))
                .isEqualTo(Duration.ofSeconds(9).toNanos());
        assertThat(backOff.pause(Duration.ofDays(9999)))
                .isEqualTo(Duration.ofMinutes(1).toNanos());
    }

    @Test
    void backsOffExponentiallyUpToABound() {
        BackOff backOff = new BackOff(Duration.ofSeconds(1), Duration.ofSeconds(30), Duration.ofMinutes(1));
        for (long most : new long[] {1, 2, 4, 8, 16, 30, 30}) {
            assertThat(backOff.pause(Duration.ZERO))
                    .isBetween(
                            Duration.ofSeconds(most).toNanos() / 2,
                            Duration.ofSeconds(most).toNanos());
        }
        backOff.reset();
        assertThat(backOff.pause(Duration.ZERO))
                .isLessThanOrEqualTo(Duration.ofSeconds(1).toNanos());
    }

    @Test
    void usesTheStatusOfAnEndlessResponse() throws Exception {
        AtomicLong sent = new AtomicLong();
        try (ServerSocket server = answering("HTTP/1.1 200 OK\r\n\r\n", out -> {
            byte[] chunk = new byte[8192];
            // Until the client closes.
            while (true) {
                out.write(chunk);
                sent.addAndGet(chunk.length);
            }
        })) {
            assertThat(client(server.getLocalPort(), Duration.ofSeconds(20)).post(new byte[10]))
                    .isEqualTo(new Outcome.Delivered());
        }
    }

    @Test
    void usesTheStatusOfAResponseThatStallsInItsBody() throws Exception {
        try (ServerSocket server = answering("HTTP/1.1 400 No\r\nContent-Length: 10\r\n\r\n123", out -> {})) {
            assertThat(client(server.getLocalPort(), Duration.ofSeconds(3)).post(new byte[10]))
                    .isEqualTo(new Outcome.Refused("status 400"));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "POST / HTTP/1.1\r\nauthorization: c0ffee\r\n\r\n",
                "HTTP/1.1 2c0ffee no\r\n\r\n",
                "c0ffee",
                "HTTP/1.1 200 OK\r\nc0ffee"
            })
    void quotesNothingOfTheResponse(String echo) throws Exception {
        try (ServerSocket server = answering(echo, OutputStream::close)) {
            assertThat(client(server.getLocalPort(), Duration.ofSeconds(20)).post(new byte[10]))
                    .isInstanceOf(Outcome.Failed.class)
                    .asString()
                    .doesNotContain("c0ffee");
        }
    }

    @Test
    void abandonsAResponseWithASlowHead() throws Exception {
        try (ServerSocket server = answering("HTTP/1.1 200 OK\r\n", out -> {
            while (true) {
                out.write("x: y\r\n".getBytes(StandardCharsets.US_ASCII));
                out.flush();
                Thread.sleep(20);
            }
        })) {
            assertThat(client(server.getLocalPort(), Duration.ofMillis(300)).post(new byte[10]))
                    .isInstanceOf(Outcome.Failed.class);
        }
    }

    private interface Rest {
        void writeTo(OutputStream out) throws Exception;
    }

    /** Reads, sends the start of a response and then the rest. Connections stay open until the server closes. */
    private static ServerSocket answering(String beginning, Rest rest) throws IOException {
        ServerSocket server = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
        Thread thread = new Thread(() -> {
            try (Socket socket = server.accept()) {
                InputStream in = socket.getInputStream();
                if (in.read(new byte[4096]) > 0) {
                    OutputStream out = socket.getOutputStream();
                    out.write(beginning.getBytes(StandardCharsets.US_ASCII));
                    out.flush();
                    rest.writeTo(out);
                    // Until the client closes.
                    while (in.read() >= 0) {}
                }
            } catch (Exception clientIsGone) {
                // Expected.
            }
        });
        thread.setDaemon(true);
        thread.start();
        return server;
    }
}
