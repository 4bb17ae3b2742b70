package dev.lychgate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lychgate.config.MatchConfig;
import dev.lychgate.config.RouteConfig;
import dev.lychgate.config.WebSocketConfig;
import dev.lychgate.server.origin.DemoOrigin;
import dev.lychgate.testing.Eventually;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** WebSockets between the client of the JDK and an origin of Netty. */
@Tag("slow")
class WebSocketTest {
    private final HttpClient http = HttpClient.newHttpClient();

    private static final class Heard implements WebSocket.Listener {
        private final LinkedBlockingQueue<String> messages = new LinkedBlockingQueue<>();
        private final CompletableFuture<Integer> closed = new CompletableFuture<>();
        private final CompletableFuture<Void> pong = new CompletableFuture<>();
        private final StringBuilder text = new StringBuilder();

        @Override
        public CompletionStage<?> onText(WebSocket socket, CharSequence part, boolean last) {
            text.append(part);
            if (last) {
                messages.add(text.toString());
                text.setLength(0);
            }
            return WebSocket.Listener.super.onText(socket, part, last);
        }

        @Override
        public CompletionStage<?> onPong(WebSocket socket, ByteBuffer message) {
            pong.complete(null);
            return WebSocket.Listener.super.onPong(socket, message);
        }

        @Override
        public CompletionStage<?> onClose(WebSocket socket, int code, String reason) {
            closed.complete(code);
            return WebSocket.Listener.super.onClose(socket, code, reason);
        }

        @Override
        public void onError(WebSocket socket, Throwable error) {
            closed.completeExceptionally(error);
        }

        String next() throws InterruptedException {
            String message = messages.poll(10, TimeUnit.SECONDS);
            assertThat(message).isNotNull();
            return String.valueOf(message);
        }
    }

    private static Lychgate to(DemoOrigin origin) throws Exception {
        return Lychgate.builder()
                .listener("main", "127.0.0.1:0")
                .admin("127.0.0.1:0")
                .upstream("demo", "http://127.0.0.1:" + origin.port())
                .route(RouteConfig.proxy("ws", MatchConfig.path("/**"), "demo").withWebSocket(WebSocketConfig.DEFAULT))
                .start();
    }

    private WebSocket open(int port, Heard heard) throws Exception {
        return http.newWebSocketBuilder()
                .buildAsync(URI.create("ws://127.0.0.1:" + port + "/ws"), heard)
                .get(10, TimeUnit.SECONDS);
    }

    private String metric(Lychgate gateway, String name) throws Exception {
        URI uri = URI.create("http://127.0.0.1:" + gateway.adminPort() + "/metrics");
        HttpResponse<String> page =
                http.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
        return page.body()
                .lines()
                .filter(line -> line.startsWith(name + "{"))
                .findFirst()
                .orElse("none");
    }

    @Test
    void messagesPingsAndCloseHandshakesPass() throws Exception {
        Heard heard = new Heard();
        try (DemoOrigin origin = DemoOrigin.start();
                Lychgate gateway = to(origin)) {
            WebSocket socket = open(gateway.port("main"), heard);
            socket.sendText("hello", true).get(10, TimeUnit.SECONDS);
            assertThat(heard.next()).isEqualTo("hello");
            String large = "0123456789".repeat(100_000);
            socket.sendText(large.substring(0, 400_000), false).get(10, TimeUnit.SECONDS);
            socket.sendText(large.substring(400_000), true).get(10, TimeUnit.SECONDS);
            assertThat(heard.next()).isEqualTo(large);
            socket.sendPing(ByteBuffer.allocate(3)).get(10, TimeUnit.SECONDS);
            heard.pong.get(10, TimeUnit.SECONDS);
            assertThat(metric(gateway, "lychgate_websockets")).endsWith(" 1.0").contains("listener=\"main\"");
            socket.sendClose(1000, "bye").get(10, TimeUnit.SECONDS);
            assertThat(heard.closed.get(10, TimeUnit.SECONDS)).isEqualTo(1000);
            Eventually.eventually(() -> {
                assertThat(metric(gateway, "lychgate_websockets")).endsWith(" 0.0");
                assertThat(metric(gateway, "lychgate_websockets_ended_total"))
                        .contains("reason=\"client-closed\"")
                        .endsWith(" 1.0");
            });
        }
    }

    @Test
    void aGatewayThatStopsSendsACloseFrame() throws Exception {
        Heard heard = new Heard();
        try (DemoOrigin origin = DemoOrigin.start()) {
            Lychgate gateway = to(origin);
            try (gateway) {
                open(gateway.port("main"), heard);
                assertThat(gateway.drain(Duration.ofSeconds(10))).isZero();
            }
            assertThat(heard.closed.get(10, TimeUnit.SECONDS)).isEqualTo(1001);
        }
    }

    @Test
    void theJdkRefusesAResponseThatIsNoHandshake() throws Exception {
        try (DemoOrigin origin = DemoOrigin.start();
                Lychgate gateway = to(origin)) {
            URI plain = URI.create("ws://127.0.0.1:" + gateway.port("main") + "/count");
            assertThatThrownBy(() -> http.newWebSocketBuilder()
                            .buildAsync(plain, new Heard())
                            .get(10, TimeUnit.SECONDS))
                    .hasCauseInstanceOf(java.net.http.WebSocketHandshakeException.class);
        }
    }
}
