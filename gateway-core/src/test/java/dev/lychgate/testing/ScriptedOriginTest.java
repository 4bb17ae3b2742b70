package dev.lychgate.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.EOFException;
import java.net.ConnectException;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("slow")
class ScriptedOriginTest {
    @Test
    void respondsToEveryRequestOfAConnection() throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.answering((request, c) -> c.send(Responses.ok(request.target())));
                RawClient client = RawClient.connect(origin.address())) {
            assertThat(client.get("/a").body()).isEqualTo("/a");
            assertThat(client.get("/b").body()).isEqualTo("/b");
            assertThat(origin.connectionsAccepted()).isEqualTo(1);
            assertThat(origin.awaitRequests(2)).extracting(RawMessage::target).containsExactly("/a", "/b");
            client.halfClose();
            origin.awaitOpenConnections(0);
        }
    }

    @Test
    void closesAfterARequestWithClose() throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.answering((request, c) -> c.send(Responses.ok("last")));
                RawClient client = RawClient.connect(origin.address())) {
            client.send("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
            assertThat(client.readResponse().body()).isEqualTo("last");
            client.expectClosed();
        }
    }

    @Test
    void playsOneScriptPerConnectionThenTheCommonOne() throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.start()
                .onNextConnection(c -> {
                    c.readRequest();
                    c.reset();
                })
                .onConnection(c -> c.answerEvery(request -> Responses.ok("second")))) {
            try (RawClient first = RawClient.connect(origin.address())) {
                first.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
                assertThat(first.awaitEnd()).isEqualTo(Ending.RESET);
            }
            try (RawClient second = RawClient.connect(origin.address())) {
                assertThat(second.get("/").body()).isEqualTo("second");
            }
        }
    }

    @Test
    void readsHeadBodyAndTrailersOfAChunkedRequest() throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.start()
                        .onConnection(c -> c.send(Responses.ok(c.readRequest().body())));
                RawClient client = RawClient.connect(origin.address())) {
            client.sendSlowly(
                    "POST / HTTP/1.1\r\nHost: a\r\nX: 1\r\nx: 2\r\nTransfer-Encoding: chunked\r\n\r\n"
                            + "3\r\nabc\r\n1\r\nd\r\n0\r\nDigest: 7\r\n\r\n",
                    20,
                    Duration.ofMillis(1));
            assertThat(client.readResponse().body()).isEqualTo("abcd");
            RawMessage request = origin.awaitRequests(1).get(0);
            assertThat(request.values("X")).containsExactly("1", "2");
            assertThat(request.trailers()).containsExactly(new RawMessage.Field("Digest", "7"));
        }
    }

    @Test
    void stallsUntilTheTestOpensTheGate() throws Exception {
        Gate gate = new Gate();
        try (ScriptedOrigin origin = ScriptedOrigin.start().onConnection(c -> {
                    c.readHead();
                    c.stallUntil(gate).send(Responses.chunked("late", "r"));
                });
                RawClient client = RawClient.connect(origin.address())) {
            client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
            origin.awaitRequests(1);
            client.expectSilence(Duration.ofMillis(20));
            gate.open();
            assertThat(client.readResponse().body()).isEqualTo("later");
        }
    }

    @Test
    void endsStalledScriptsWhenItIsClosed() throws Exception {
        ScriptedOrigin origin = ScriptedOrigin.start().onConnection(ScriptedConnection::stall);
        try (RawClient client = RawClient.connect(origin.address())) {
            origin.awaitOpenConnections(1);
            origin.close();
            assertThat(origin.openConnections()).isZero();
            client.expectClosed();
        }
    }

    @Test
    void reportsTheFailureOfAScriptWhenItIsClosed() throws Exception {
        ScriptedOrigin origin = ScriptedOrigin.start().onConnection(ScriptedConnection::readRequest);
        try (RawClient client = RawClient.connect(origin.address())) {
            client.send("GET / HTTP/1.1\nHost: a\n\n").awaitEnd();
        }
        origin.awaitOpenConnections(0);
        assertThatThrownBy(origin::close).isInstanceOf(AssertionError.class).hasMessageContaining("bare LF");
    }

    @Test
    void reportsAnAssertionThatFailsOnlyWhenItIsClosed() throws Exception {
        Gate playing = new Gate();
        ScriptedOrigin origin = ScriptedOrigin.start().onConnection(c -> {
            playing.open();
            assertThatThrownBy(c::awaitEnd).hasMessage("something else");
        });
        try (RawClient client = RawClient.connect(origin.address())) {
            playing.await();
            assertThatThrownBy(origin::close).hasMessageContaining("something else");
            client.expectClosed();
        }
    }

    @Test
    void reportsAConnectionWithoutAScript() throws Exception {
        ScriptedOrigin origin = ScriptedOrigin.start();
        try (RawClient client = RawClient.connect(origin.address())) {
            client.awaitEnd();
        }
        origin.awaitOpenConnections(0);
        assertThatThrownBy(origin::close).hasMessageContaining("no script is left");
    }

    @Test
    void reportsAClientThatLeavesWithinARequest() throws Exception {
        ScriptedOrigin origin = ScriptedOrigin.answering((request, c) -> c.send(Responses.ok("")));
        try (RawClient client = RawClient.connect(origin.address())) {
            client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nabc");
        }
        origin.awaitConnections(1);
        origin.awaitOpenConnections(0);
        assertThatThrownBy(origin::close).hasRootCauseInstanceOf(EOFException.class);
    }

    @Test
    void countsTheBytesSentToAClientThatDoesNotRead() throws Exception {
        byte[] large = new byte[64 << 20];
        Gate sent = new Gate();
        try (ScriptedOrigin origin = ScriptedOrigin.start().onConnection(c -> {
                    c.send("first");
                    assertThat(c.bytesSent()).isEqualTo(5);
                    c.within(Duration.ofMillis(300));
                    assertThatThrownBy(() -> c.send(large)).hasMessageContaining("did not take");
                    assertThat(c.bytesSent()).isBetween(5L, 32L << 20);
                    sent.open();
                });
                RawClient client = RawClient.connectWithReceiveBuffer(origin.address(), 4096)) {
            sent.await();
            assertThat(client.awaitEnd()).isNotNull();
        }
    }

    @Test
    void refusesAtARefusingPort() throws Exception {
        try (RefusingPort port = new RefusingPort()) {
            assertThatThrownBy(() -> RawClient.connect(port.address())).isInstanceOf(ConnectException.class);
        }
    }

    @Test
    void doesNotRespondInABlackHole() throws Exception {
        try (BlackHole hole = new BlackHole();
                Socket socket = new Socket()) {
            assertThatThrownBy(() -> socket.connect(hole.address(), 200)).isInstanceOf(SocketTimeoutException.class);
        }
    }

    @Test
    void distinguishesAResetFromAClose() throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.start()
                .onNextConnection(c -> assertThat(c.awaitEnd()).isEqualTo(Ending.RESET))
                .onNextConnection(c -> assertThat(c.awaitEnd()).isEqualTo(Ending.CLOSED))
                .onNextConnection(c -> assertThatThrownBy(c::readHead).isInstanceOf(SocketException.class))) {
            RawClient.connect(origin.address()).reset();
            origin.awaitConnections(1);
            RawClient.connect(origin.address()).close();
            origin.awaitConnections(2);
            RawClient.connect(origin.address()).reset();
            origin.awaitConnections(3);
            origin.awaitOpenConnections(0);
        }
    }
}
