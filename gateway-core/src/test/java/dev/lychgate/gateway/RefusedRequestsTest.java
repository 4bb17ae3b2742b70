package dev.lychgate.gateway;

import static dev.lychgate.gateway.Problems.assertProblem;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.config.ByteSize;
import dev.lychgate.config.RewriteConfig;
import dev.lychgate.config.RouteAction;
import dev.lychgate.error.ErrorKind;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.RawMessage;
import dev.lychgate.testing.Responses;
import dev.lychgate.testing.Rfc;
import dev.lychgate.testing.ScriptedOrigin;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Requests that never reach an origin: malformed, ambiguous, too large, unroutable. */
class RefusedRequestsTest {
    @ParameterizedTest(name = "RFC {0}: {1}, {2}, {3}")
    @CsvSource(
            delimiter = '|',
            value = {
                "9112, 3.2    | GET / HTTP/1.1~~                                              | 400 | BAD_HOST",
                "9112, 3.2    | GET / HTTP/1.1~Host: a~Host: b~~                              | 400 | BAD_HOST",
                "9112, 3.2    | GET / HTTP/1.1~Host: a b~~                                    | 400 | BAD_HOST",
                "9110, 7.2    | GET / HTTP/1.1~Host: s%65cret.test~~                          | 400 | BAD_HOST",
                "9110, 7.2    | GET http://s%65cret.test/ HTTP/1.1~Host: a~~                  | 400 | BAD_HOST",
                "9110, 4.2.4  | GET http://a@b/ HTTP/1.1~Host: a~~                            | 400 | BAD_HOST",
                "9112, 5.1    | GET / HTTP/1.1~Host : a~~                                     | 400 | MALFORMED_REQUEST",
                "9112, 3.2    | GET nonsense HTTP/1.1~Host: a~~                               | 400 | MALFORMED_REQUEST",
                "9112, 3.2.1  | GET /#f HTTP/1.1~Host: a~~                                    | 400 | MALFORMED_REQUEST",
                "9112, 6.3    | POST / HTTP/1.1~Host: a~Content-Length: x~~                   | 400 | MALFORMED_REQUEST",
                "9112, 6.3    | POST / HTTP/1.1~Host: a~Content-Length: 1~Content-Length: 2~~ | 400 | MALFORMED_REQUEST",
                "9112, 6.1    | POST / HTTP/1.1~Host: a~Transfer-Encoding: gzip, chunked~~    | 501 | NOT_IMPLEMENTED",
                "9110, 5.5    | GET / HTTP/1.1~Host: a~X: a\u0000b~~                          | 400 | MALFORMED_REQUEST",
                "9112, 6.1    | POST / HTTP/1.0~Host: a~Transfer-Encoding: chunked~~          | 400 | MALFORMED_REQUEST",
                "9112, 6.3    | POST / HTTP/1.1~Host: a~Transfer-Encoding: xchunked~~         | 400 | MALFORMED_REQUEST",
                "9110, 8.3    | POST / HTTP/1.1~Host: a~Content-Type: text/a~Content-Length: 0~content-type: text/b~~ | 400 | MALFORMED_REQUEST",
                "9112, 6.3    | POST / HTTP/1.1~Host: a~Transfer-Encoding: chunked~Content-Length: 1~~ | 400 | MALFORMED_REQUEST",
                "9110, 10.1.1 | POST / HTTP/1.1~Host: a~Content-Length: 1~Expect: 100-continue~Expect: x~~ | 417 | EXPECTATION_FAILED",
                "9110, 7.4    | GET https://a/ HTTP/1.1~Host: a~~                             | 421 | MISDIRECTED_REQUEST",
                "9110, 15.6.6 | GET / HTTP/3.0~Host: a~~                                      | 505 | VERSION_NOT_SUPPORTED",
                "9110, 15.6.6 | GET / HTTP/0.9~Host: a~~                                      | 505 | VERSION_NOT_SUPPORTED",
                "9112, 3      | GET  / HTTP/1.1~Host: a~~                                     | 400 | MALFORMED_REQUEST",
                "9112, 5.2    | GET / HTTP/1.1~Host: a~X: a~ b~~                              | 400 | MALFORMED_REQUEST",
                "9110, 9.3.6  | CONNECT a:443 HTTP/1.1~Host: a~~                              | 405 | METHOD_NOT_ALLOWED"
            })
    void aMalformedRequestIsRefusedAndTheConnectionCloses(String section, String text, int status, ErrorKind kind)
            throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.answering((r, c) -> c.send(Responses.ok("must not happen")));
                Running gateway = Setup.to(origin.address()).start();
                RawClient client = gateway.client()) {
            client.send(text.strip().replace("~", "\r\n"));
            RawMessage response = client.readResponse();
            assertProblem(response, status, kind);
            assertThat(response.value("connection")).contains("close");
            client.expectClosed();
            assertThat(gateway.nextOutcome().error()).isEqualTo(kind);
            assertThat(origin.connectionsAccepted()).isZero();
        }
    }

    @ParameterizedTest
    @CsvSource({"/a/..%2fb", "/%00", "/a/%5cb", "/../x", "/%", "/a/..;x/b"})
    void anUnsafePathIsRefusedAndTheConnectionGoesOn(String path) throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.answering((r, c) -> c.send(Responses.ok(r.target())));
                Running gateway = Setup.to(origin.address()).start();
                RawClient client = gateway.client()) {
            assertProblem(client.get(path), 400, ErrorKind.BAD_PATH);
            assertThat(client.get("/a//b/./%7Ec").body()).isEqualTo("/a/b/~c");
            assertThat(origin.requestsSeen()).isEqualTo(1);
        }
    }

    @Test
    @Rfc({"9110, 15.5.5", "9110, 9.3.2", "9457, 3"})
    void aRequestNoRouteMatchesIsNotFound() throws Exception {
        try (Running gateway = new Setup()
                        .route("x", "/x", RewriteConfig.NONE, new RouteAction.Respond(200, java.util.Map.of(), "x"))
                        .start();
                RawClient client = gateway.client()) {
            assertProblem(client.get("/y"), 404, ErrorKind.NO_ROUTE);
            assertThat(client.get("/x").body()).isEqualTo("x");
            client.send("HEAD /y HTTP/1.1\r\nHost: a\r\n\r\n");
            RawMessage toHead = client.readResponseTo("HEAD");
            assertThat(toHead.status()).isEqualTo(404);
            assertThat(Integer.parseInt(toHead.value("content-length").orElseThrow()))
                    .isPositive();
        }
    }

    @Test
    @Rfc({"9110, 15.5.14", "9112, 9.3"})
    void aBodyDeclaredTooLongIsRefusedBeforeAnyOriginHearsOfIt() throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.answering((r, c) -> c.send(Responses.ok(r.body())));
                Running gateway =
                        Setup.to(origin.address()).bodyLimit(new ByteSize(8)).start();
                RawClient client = gateway.client()) {
            client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n123456789");
            assertProblem(client.readResponse(), 413, ErrorKind.BODY_TOO_LARGE);
            client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 8\r\n\r\n12345678");
            assertThat(client.readResponse().body()).isEqualTo("12345678");
            assertThat(origin.requestsSeen()).isEqualTo(1);
        }
    }

    @Test
    @Rfc({"9110, 15.5.14", "9112, 9.3"})
    void aBodyThatTurnsOutTooLongIsCutOffOnBothSides() throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.start().onConnection(c -> {
                    c.readHead();
                    c.awaitEnd();
                });
                Running gateway =
                        Setup.to(origin.address()).bodyLimit(new ByteSize(8)).start();
                RawClient client = gateway.client()) {
            client.send("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n8\r\n12345678\r\n");
            origin.awaitRequests(1);
            client.send("1\r\n9\r\n");
            RawMessage response = client.readResponse();
            assertProblem(response, 413, ErrorKind.BODY_TOO_LARGE);
            assertThat(response.value("connection")).contains("close");
            client.expectClosed();
            origin.awaitOpenConnections(0);
        }
    }

    @Test
    @Rfc({"9112, 7.1", "9112, 8"})
    void aBodyThatBreaksOffIsNeverEndedTowardsTheOrigin() throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.start().onConnection(c -> {
                    c.readHead();
                    String rest = new String(c.readBytes(6), java.nio.charset.StandardCharsets.US_ASCII);
                    assertThat(rest).isEqualTo("3\r\nabc");
                    assertThat(c.readBytes(2)).hasSize(2);
                    c.expectClosed();
                });
                Running gateway = Setup.to(origin.address()).start();
                RawClient client = gateway.client()) {
            client.send("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n");
            origin.awaitRequests(1);
            client.send("nonsense\r\n");
            assertProblem(client.readResponse(), 400, ErrorKind.MALFORMED_REQUEST);
            client.expectClosed();
            origin.awaitOpenConnections(0);
        }
    }
}
