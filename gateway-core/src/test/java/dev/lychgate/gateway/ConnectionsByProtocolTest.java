package dev.lychgate.gateway;

import static dev.lychgate.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.config.WebSocketConfig;
import dev.lychgate.listener.ListenerCounters;
import dev.lychgate.testing.Http2Client;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.Responses;
import dev.lychgate.testing.ScriptedOrigin;
import dev.lychgate.testing.WebSockets;
import org.junit.jupiter.api.Test;

/** Every open client connection is counted under its protocol only. */
class ConnectionsByProtocolTest {
    @Test
    void countsOpenConnectionsByProtocol() throws Exception {
        ScriptedOrigin origin = ScriptedOrigin.answering((request, c) -> {
            if (request.has("upgrade")) {
                c.send(WebSockets.granted(request));
                c.awaitEnd();
            } else {
                c.send(Responses.ok("hello"));
            }
        });
        try (origin;
                Running gateway = Setup.to(origin.address())
                        .webSocket(WebSocketConfig.DEFAULT)
                        .start();
                RawClient plain = gateway.client()) {
            plain.get("/");
            assertOpen(gateway, 1, 0, 0);
            try (Http2Client http2 = gateway.http2();
                    RawClient webSocket = gateway.client()) {
                assertThat(http2.get(1, "/").response(1).status()).isEqualTo(200);
                assertOpen(gateway, 2, 1, 0);
                assertThat(webSocket.send(WebSockets.handshake("/")).readHead().status())
                        .isEqualTo(101);
                assertOpen(gateway, 1, 1, 1);
            }
            assertOpen(gateway, 1, 0, 0);
            plain.get("/");
        }
    }

    private static void assertOpen(Running gateway, long http1, long http2, long webSockets) throws Exception {
        ListenerCounters counters = gateway.counters();
        eventually(() -> {
            assertThat(counters.openHttp1()).as("HTTP/1.1").isEqualTo(http1);
            assertThat(counters.openHttp2()).as("HTTP/2").isEqualTo(http2);
            assertThat(counters.openWebSockets()).as("WebSocket").isEqualTo(webSockets);
            assertThat(counters.open()).isEqualTo(http1 + http2 + webSockets);
        });
    }
}
