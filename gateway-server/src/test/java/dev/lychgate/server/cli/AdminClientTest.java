package dev.lychgate.server.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lychgate.server.engine.StartException;
import dev.lychgate.testing.ScriptedOrigin;
import java.net.http.HttpClient;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Servers that are not gateways. */
@Timeout(30)
@Tag("slow")
class AdminClientTest {
    private static AdminClient asking(ScriptedOrigin other, Duration patience) {
        return new AdminClient(HttpClient.newHttpClient(), "http://127.0.0.1:" + other.port(), null, patience);
    }

    @Test
    void acceptsAResponseOfTheMaximumLength() throws Exception {
        String body = "\"" + "x".repeat(1 << 20) + "\"";
        try (ScriptedOrigin other = ScriptedOrigin.answering(
                (request, c) -> c.send("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: "
                        + body.length() + "\r\n\r\n" + body))) {
            assertThat(asking(other, Duration.ofSeconds(20)).ask("GET", "/").body())
                    .isEqualTo(body);
        }
    }

    @Test
    void anEndlessResponseFillsNoMemory() throws Exception {
        String part = "x".repeat(1 << 20);
        try (ScriptedOrigin other = ScriptedOrigin.answeringWhoStays((request, c) -> {
            c.send("HTTP/1.1 200 OK\r\n\r\n");
            while (true) {
                c.send(part);
            }
        })) {
            assertThatThrownBy(() -> asking(other, Duration.ofSeconds(20)).ask("GET", "/"))
                    .isInstanceOf(StartException.class)
                    .hasMessageContaining("the response is too long");
        }
    }

    @Test
    void aSlowResponseHasTheSameTimeout() throws Exception {
        try (ScriptedOrigin other = ScriptedOrigin.answeringWhoStays((request, c) -> {
            c.send("HTTP/1.1 200 OK\r\n\r\n");
            while (true) {
                c.send("x");
                Thread.sleep(20);
            }
        })) {
            assertThatThrownBy(() -> asking(other, Duration.ofMillis(500)).ask("GET", "/"))
                    .isInstanceOf(StartException.class)
                    .hasMessageEndingWith(": no complete response arrived within 500ms");
        }
    }

    @Test
    void aSilentServerHasATimeout() {
        try (ScriptedOrigin other = ScriptedOrigin.start().onConnection(c -> c.stall())) {
            assertThatThrownBy(() -> asking(other, Duration.ofMillis(500)).ask("POST", "/reload"))
                    .isInstanceOf(StartException.class)
                    .hasMessage("no gateway responds at 127.0.0.1:" + other.port()
                            + ": no complete response arrived within 500ms");
        }
    }
}
