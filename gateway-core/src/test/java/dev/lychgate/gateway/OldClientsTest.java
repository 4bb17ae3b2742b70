package dev.lychgate.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.testing.Ending;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.RawMessage;
import dev.lychgate.testing.Responses;
import dev.lychgate.testing.Rfc;
import dev.lychgate.testing.ScriptedOrigin;
import org.junit.jupiter.api.Test;

/** HTTP/1.0 clients: persistence only on request, no chunks, no interim responses. */
class OldClientsTest {
    @Test
    @Rfc("9112, 9.3")
    void aRequestWithKeepAliveKeepsTheConnectionWithAnAnnouncement() throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.answering((r, c) -> c.send(Responses.ok("x")));
                Running gateway = Setup.to(origin.address()).start();
                RawClient client = gateway.client()) {
            for (int i = 0; i < 3; i++) {
                client.send("GET / HTTP/1.0\r\nConnection: Keep-Alive\r\nHost: a\r\n\r\n");
                RawMessage response = client.readResponse();
                assertThat(response.body()).isEqualTo("x");
                assertThat(response.value("connection")).contains("keep-alive");
                assertThat(response.value("content-length")).contains("1");
            }
            assertThat(origin.connectionsAccepted()).isEqualTo(1);
        }
    }

    @Test
    @Rfc({"9112, 9.3", "9112, 2.3", "9112, 3.2"})
    void aRequestWithoutItIsAnsweredAndTheConnectionCloses() throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.answering((r, c) -> c.send(Responses.ok("x")));
                Running gateway = Setup.to(origin.address()).start();
                RawClient client = gateway.client()) {
            client.send("GET / HTTP/1.0\r\n\r\n");
            RawMessage response = client.readResponse();
            assertThat(response.value("connection")).contains("close");
            client.expectClosed();
            RawMessage request = origin.awaitRequests(1).get(0);
            assertThat(request.startLine()).endsWith("HTTP/1.1");
            assertThat(request.value("host")).contains("127.0.0.1:" + origin.port());
            assertThat(request.has("connection")).isFalse();
        }
    }

    @Test
    @Rfc({"9112, 6.1", "9112, 6.3"})
    void chunksBecomeABodyThatEndsWithTheConnection() throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.answering((r, c) -> c.send(Responses.chunked("ab", "cd")));
                Running gateway = Setup.to(origin.address()).start();
                RawClient client = gateway.client()) {
            client.send("GET / HTTP/1.0\r\nConnection: keep-alive\r\nHost: a\r\n\r\n");
            RawMessage response = client.readResponse();
            assertThat(response.body()).isEqualTo("abcd");
            assertThat(response.has("transfer-encoding")).isFalse();
            assertThat(response.value("connection")).contains("close");
        }
    }

    @Test
    @Rfc({"9112, 6.3", "9112, 8"})
    void anAnswerCutShortIsCutWithAResetBecauseACloseWouldMeanItsEnd() throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.start().onConnection(c -> {
                    c.readRequest();
                    c.send(Responses.head(200, "Transfer-Encoding: chunked") + "\r\n2\r\nab\r\n");
                });
                Running gateway = Setup.to(origin.address()).start();
                RawClient client = gateway.client()) {
            client.send("GET / HTTP/1.0\r\nHost: a\r\n\r\n");
            assertThat(client.awaitEnd()).isEqualTo(Ending.RESET);
        }
    }

    @Test
    @Rfc({"9110, 15.2", "9110, 10.1.1"})
    void interimAnswersAreKeptFromThem() throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.answering(
                        (r, c) -> c.send("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n" + Responses.ok("x")));
                Running gateway = Setup.to(origin.address()).start();
                RawClient client = gateway.client()) {
            client.send("GET / HTTP/1.0\r\nExpect: 100-continue\r\nHost: a\r\n\r\n");
            assertThat(client.readResponse().body()).isEqualTo("x");
            assertThat(client.interimResponses()).isEmpty();
            assertThat(origin.awaitRequests(1).get(0).has("expect")).isFalse();
        }
    }
}
