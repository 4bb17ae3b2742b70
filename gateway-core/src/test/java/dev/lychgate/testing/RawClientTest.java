package dev.lychgate.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.EOFException;
import java.io.IOException;
import java.time.Duration;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RawClientTest {
    @Test
    void readsAResponseToHeadWithoutItsBody() throws Exception {
        against(Responses.of(200, "12345").replace("12345", "") + Responses.ok("next"), client -> {
            assertThat(response(client, "HEAD").value("Content-Length")).contains("5");
            assertThat(response(client, "GET").body()).isEqualTo("next");
        });
    }

    @Test
    void keepsInterimResponsesApart() throws Exception {
        against(
                "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n" + Responses.ok("final"),
                client -> {
                    assertThat(response(client, "GET").body()).isEqualTo("final");
                    assertThat(client.interimResponses())
                            .extracting(RawMessage::status)
                            .containsExactly(100, 103);
                });
    }

    @Test
    void readsNoBodyAfterA204() throws Exception {
        against("HTTP/1.1 204 No Content\r\n\r\n" + Responses.ok("next"), client -> {
            assertThat(response(client, "GET").body()).isEmpty();
            assertThat(response(client, "GET").body()).isEqualTo("next");
        });
    }

    @Test
    void readsAnUnframedBodyUntilTheClose() throws Exception {
        against(
                "HTTP/1.1 200 OK\r\n\r\nall the rest",
                client -> assertThat(response(client, "GET").body()).isEqualTo("all the rest"));
    }

    @Test
    void detectsATruncatedBody() throws Exception {
        against(
                "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nshort",
                client -> assertThatThrownBy(client::readResponse).isInstanceOf(EOFException.class));
        against(
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n",
                client -> assertThatThrownBy(client::readResponse).isInstanceOf(EOFException.class));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "HTTP/1.1 200 OK\n\n",
                "HTTP/1.1 200 OK\r\nX : 1\r\n\r\n",
                "HTTP/1.1 200 OK\r\nX: 1\r\n folded\r\n\r\n",
                "HTTP/1.1 200 OK\r\nX: \0\r\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\na",
                "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: +1\r\n\r\na",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0x1\r\na\r\n0\r\n\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nab\r\n0\r\n\r\n",
                "HTTP/1.1 600 OK\r\n\r\n",
                "ICY 200 OK\r\n\r\n"
            })
    void refusesAnAnswerThatIsNotStrictlyRight(String response) throws Exception {
        against(
                response,
                client -> assertThatThrownBy(client::readResponse)
                        .isInstanceOf(AssertionError.class)
                        .hasMessageContaining("broken"));
    }

    @Test
    void failsIfTheResponseDoesNotArriveInTime() throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.start().onConnection(ScriptedConnection::stall);
                RawClient client = RawClient.connect(origin.address()).within(Duration.ofMillis(50))) {
            assertThatThrownBy(client::readResponse).hasMessageContaining("no whole response within");
            assertThatThrownBy(client::expectClosed).hasMessageContaining("no close within");
        }
    }

    @Test
    void failsIfBytesPrecedeTheClose() throws Exception {
        against(Responses.ok("a") + "b", client -> {
            assertThat(response(client, "GET").body()).isEqualTo("a");
            assertThatThrownBy(client::expectClosed).hasMessageContaining("1 unexpected bytes");
        });
    }

    @Test
    void continuesToReadAfterAHalfClose() throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.start().onConnection(c -> {
                    c.expectClosed();
                    c.send(Responses.ok("still here"));
                });
                RawClient client = RawClient.connect(origin.address())) {
            assertThat(client.halfClose().readResponse().body()).isEqualTo("still here");
        }
    }

    private static void against(String response, Consumer<RawClient> test) throws IOException {
        try (ScriptedOrigin origin = ScriptedOrigin.start().onConnection(c -> c.send(response));
                RawClient client = RawClient.connect(origin.address())) {
            test.accept(client);
        }
    }

    private static RawMessage response(RawClient client, String method) {
        try {
            return client.readResponseTo(method);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
