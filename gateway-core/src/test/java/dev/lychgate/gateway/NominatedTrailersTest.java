package dev.lychgate.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.config.PoolConfig;
import dev.lychgate.config.UpstreamProtocol;
import dev.lychgate.testing.Http2Client;
import dev.lychgate.testing.Http2Origin;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.RawMessage.Field;
import dev.lychgate.testing.Responses;
import dev.lychgate.testing.Rfc;
import dev.lychgate.testing.ScriptedOrigin;
import org.junit.jupiter.api.Test;

/** Trailers that the Connection field of their message lists: they belong to one connection, in both directions. */
class NominatedTrailersTest {
    private static final String UPLOAD =
            "POST / HTTP/1.1\r\nHost: a\r\nConnection: X-One, x-TWO\r\nConnection: x-three\r\n"
                    + "Transfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n"
                    + "x-one: 1\r\nX-Two: 2\r\nX-Three: 3\r\nX-Sum: 4\r\n\r\n";
    private static final String ANSWER =
            Responses.head(200, "Transfer-Encoding: chunked", "Connection: X-One, x-TWO", "Connection: x-three")
                    + "\r\n3\r\nabc\r\n0\r\nx-one: 1\r\nX-Two: 2\r\nX-Three: 3\r\nX-Sum: 4\r\n\r\n";

    @Test
    @Rfc("9110, 7.6.1")
    void removesThemFromARequest() throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.answering((r, c) -> c.send(Responses.ok("x")));
                Running gateway = Setup.to(origin.address()).start();
                RawClient client = gateway.client()) {
            assertThat(client.send(UPLOAD).readResponse().status()).isEqualTo(200);
            assertThat(origin.awaitRequests(1).get(0).trailers())
                    .extracting(Field::toString)
                    .containsExactly("X-Sum: 4");
        }
    }

    @Test
    @Rfc("9110, 7.6.1")
    void removesThemFromARequestToAnHttp2Origin() throws Exception {
        try (Http2Origin origin = Http2Origin.start();
                Running gateway = Setup.to(origin.address())
                        .pool(PoolConfig.DEFAULT.speaking(UpstreamProtocol.H2))
                        .start();
                RawClient client = gateway.client()) {
            client.send(UPLOAD);
            Http2Client connection = origin.accept();
            assertThat(connection.response(1).trailers()).containsExactly(new Field("x-sum", "4"));
        }
    }

    @Test
    @Rfc("9110, 7.6.1")
    void removesThemFromAResponse() throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.answering((r, c) -> c.send(ANSWER));
                Running gateway = Setup.to(origin.address()).start();
                RawClient client = gateway.client()) {
            client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
            assertThat(client.readResponse().trailers())
                    .extracting(Field::toString)
                    .containsExactly("X-Sum: 4");
        }
    }

    @Test
    @Rfc("9110, 7.6.1")
    void removesThemFromAResponseToAnHttp2Client() throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.answering((r, c) -> c.send(ANSWER));
                Running gateway = Setup.to(origin.address()).start();
                Http2Client client = gateway.http2()) {
            client.get(1, "/");
            assertThat(client.response(1).trailers()).containsExactly(new Field("x-sum", "4"));
        }
    }

    @Test
    @Rfc("9110, 7.6.1")
    void passesThemInTheNextMessageThatListsNone() throws Exception {
        String next = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nX-One: 5\r\n\r\n";
        try (ScriptedOrigin origin = ScriptedOrigin.answering((r, c) -> c.send(Responses.ok("x")));
                Running gateway = Setup.to(origin.address()).start();
                RawClient client = gateway.client()) {
            client.send(UPLOAD).readResponse();
            client.send(next).readResponse();
            assertThat(origin.awaitRequests(2).get(1).trailers())
                    .extracting(Field::toString)
                    .containsExactly("X-One: 5");
        }
    }

    @Test
    void passesTrailersOfAFinalResponseThatAnInterimResponseNames() throws Exception {
        String interim = "HTTP/1.1 103 Early Hints\r\nConnection: x-sum\r\n\r\n";
        try (ScriptedOrigin origin = ScriptedOrigin.answering((r, c) -> c.send(interim + ANSWER));
                Running gateway = Setup.to(origin.address()).start();
                RawClient client = gateway.client()) {
            client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
            assertThat(client.readResponse().trailers())
                    .extracting(Field::toString)
                    .containsExactly("X-Sum: 4");
        }
    }
}
