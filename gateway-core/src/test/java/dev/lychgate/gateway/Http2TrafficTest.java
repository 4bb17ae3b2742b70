package dev.lychgate.gateway;

import static dev.lychgate.gateway.Problems.assertProblem;
import static dev.lychgate.testing.Http2Client.END_STREAM;
import static dev.lychgate.testing.Http2Client.request;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.config.ByteSize;
import dev.lychgate.error.ErrorKind;
import dev.lychgate.http2.Http2Error;
import dev.lychgate.testing.Ending;
import dev.lychgate.testing.Gate;
import dev.lychgate.testing.Http2Client;
import dev.lychgate.testing.Http2Response;
import dev.lychgate.testing.RawMessage;
import dev.lychgate.testing.RawMessage.Field;
import dev.lychgate.testing.Responses;
import dev.lychgate.testing.Rfc;
import dev.lychgate.testing.ScriptedOrigin;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The requests of HTTP/2 clients, the requests to HTTP/1.1 origins, and the responses. */
class Http2TrafficTest {
    private static ScriptedOrigin echo() {
        return ScriptedOrigin.answering((r, c) -> c.send(Responses.ok(r.target() + " " + r.body())));
    }

    @Test
    @Rfc({"9113, 8.3.1", "9113, 8.1"})
    void aGetGoesThereAndBack() throws Exception {
        try (ScriptedOrigin origin = echo();
                Running gateway = Setup.to(origin.address()).start();
                Http2Client client = gateway.http2()) {
            Http2Response response = client.get(1, "/a?b=c", "x-a", "1").response(1);
            assertThat(response.status()).isEqualTo(200);
            assertThat(response.body()).isEqualTo("/a?b=c ");
            assertThat(response.value("content-length")).contains("7");
            assertThat(response.value("date")).isPresent();
            assertThat(response.fields())
                    .extracting(Field::name)
                    .doesNotContain("connection", "keep-alive", "transfer-encoding");
            RawMessage asked = origin.requests().get(0);
            assertThat(asked.startLine()).isEqualTo("GET /a?b=c HTTP/1.1");
            assertThat(asked.value("host")).contains("lychgate.test");
            assertThat(asked.value("x-a")).contains("1");
            assertThat(asked.value("via").orElseThrow()).startsWith("2");
            assertThat(asked.value("x-forwarded-host")).contains("lychgate.test");
            assertThat(asked.has("transfer-encoding") || asked.has("content-length"))
                    .isFalse();
            assertThat(gateway.nextOutcome().status()).isEqualTo(200);
            assertThat(gateway.counters().http2Connections()).isEqualTo(1);
        }
    }

    @Test
    @Rfc("9110, 9.3.2")
    void aResponseToHeadHasALengthAndNoBody() throws Exception {
        try (ScriptedOrigin origin =
                        ScriptedOrigin.answering((r, c) -> c.send(Responses.head(200, "Content-Length: 5") + "\r\n"));
                Running gateway = Setup.to(origin.address()).start();
                Http2Client client = gateway.http2()) {
            Http2Response response =
                    client.headers(1, END_STREAM, request("HEAD", "/")).response(1);
            assertThat(response.value("content-length")).contains("5");
            assertThat(response.dataFrames()).isZero();
            assertThat(client.get(3, "/")
                            .headers(5, END_STREAM, request("HEAD", "/"))
                            .response(5)
                            .status())
                    .isEqualTo(200);
        }
    }

    @Test
    void statusesWithoutABodyEndWithTheirHead() throws Exception {
        try (ScriptedOrigin origin =
                        ScriptedOrigin.answering((r, c) -> c.send(Responses.head(204, "ETag: \"x\"") + "\r\n"));
                Running gateway = Setup.to(origin.address()).start();
                Http2Client client = gateway.http2()) {
            Http2Response response = client.get(1, "/").response(1);
            assertThat(response.status()).isEqualTo(204);
            assertThat(response.value("etag")).contains("\"x\"");
            assertThat(response.dataFrames()).isZero();
        }
    }

    @Test
    @Rfc("9110, 7.4")
    void misdirectsHttpsOnConnectionWithoutTls() throws Exception {
        String[] https = {":method", "GET", ":scheme", "https", ":authority", "lychgate.test", ":path", "/"};
        String[] connect = {
            ":method",
            "CONNECT",
            ":protocol",
            "websocket",
            ":scheme",
            "https",
            ":authority",
            "lychgate.test",
            ":path",
            "/",
            "sec-websocket-version",
            "13"
        };
        try (ScriptedOrigin origin = echo()) {
            try (Running gateway = Setup.to(origin.address()).start();
                    Http2Client client = gateway.http2()) {
                assertProblem(client.headers(1, END_STREAM, https).response(1), 421, ErrorKind.MISDIRECTED_REQUEST);
                assertThat(client.headers(3, Http2Client.NONE, connect)
                                .response(3)
                                .status())
                        .isEqualTo(421);
                assertThat(client.get(5, "/").response(5).status()).isEqualTo(200);
                assertThat(origin.requests()).hasSize(1);
            }
            try (Running gateway =
                            Setup.to(origin.address()).trusting("127.0.0.0/8").start();
                    Http2Client proxy = gateway.http2()) {
                assertThat(proxy.headers(1, END_STREAM, https).response(1).status())
                        .isEqualTo(200);
            }
        }
    }

    @Test
    @Rfc("9110, 15.3.6")
    void dropsContentOfResetContent() throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.answering((r, c) ->
                        c.send(Responses.head(205, "Transfer-Encoding: chunked") + "\r\n7\r\nsurplus\r\n0\r\n\r\n"));
                Running gateway = Setup.to(origin.address()).start();
                Http2Client client = gateway.http2()) {
            Http2Response response = client.get(1, "/").response(1);
            assertThat(response.status()).isEqualTo(205);
            assertThat(response.value("content-length")).contains("0");
            assertThat(response.dataFrames()).isZero();
            assertThat(client.get(3, "/").response(3).status()).isEqualTo(205);
            assertThat(origin.connectionsAccepted()).isEqualTo(2);
        }
    }

    @Test
    @Rfc("9113, 8.1")
    void aBodyOfKnownLengthKeepsItAndOneOfUnknownLengthIsChunked() throws Exception {
        try (ScriptedOrigin origin = echo();
                Running gateway = Setup.to(origin.address()).start();
                Http2Client client = gateway.http2()) {
            client.post(1, "/known", "content-length", "5")
                    .data(1, "hel", false)
                    .data(1, "lo", true);
            assertThat(client.response(1).body()).isEqualTo("/known hello");
            client.post(3, "/unknown")
                    .data(3, "wor", false)
                    .data(3, "ld", false)
                    .data(3, "", true);
            assertThat(client.response(3).body()).isEqualTo("/unknown world");
            client.post(5, "/empty", "content-length", "0").data(5, "", true);
            assertThat(client.response(5).body()).isEqualTo("/empty ");
            assertThat(origin.requests().get(0).value("content-length")).contains("5");
            assertThat(origin.requests().get(1).value("transfer-encoding")).contains("chunked");
        }
    }

    @Test
    @Rfc("9113, 8.1")
    void trailersPassBothWays() throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.answering((r, c) -> c.send(
                        Responses.head(200, "Transfer-Encoding: chunked") + "\r\n3\r\nabc\r\n0\r\nX-Sum: 9\r\n\r\n"));
                Running gateway = Setup.to(origin.address()).start();
                Http2Client client = gateway.http2()) {
            client.post(1, "/").data(1, "body", false).headers(1, END_STREAM, "x-check", "7", "content-length", "9");
            Http2Response response = client.response(1);
            assertThat(response.body()).isEqualTo("abc");
            assertThat(response.trailers()).containsExactly(new Field("x-sum", "9"));
            RawMessage asked = origin.requests().get(0);
            assertThat(asked.body()).isEqualTo("body");
            assertThat(asked.trailers()).extracting(Field::toString).containsExactly("x-check: 7");
        }
    }

    @Test
    @Rfc({"9113, 8.1", "9110, 10.1.1", "8297, 2"})
    void interimAnswersPassBeforeTheFinalOne() throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.start().onConnection(c -> {
                    RawMessage head = c.readHead();
                    c.send("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n");
                    c.send(Responses.ok(c.readBody(head).body()));
                    c.awaitEnd();
                });
                Running gateway = Setup.to(origin.address()).start();
                Http2Client client = gateway.http2()) {
            client.post(1, "/", "expect", "100-continue", "content-length", "3");
            client.await("leave", () -> client.stream(1).interim().contains(100));
            Http2Response response = client.data(1, "abc", true).response(1);
            assertThat(response.interim()).containsExactly(100, 103);
            assertThat(response.body()).isEqualTo("abc");
        }
    }

    @Test
    @Rfc("9113, 8.2.3")
    void crumbsOfACookieAreJoined() throws Exception {
        try (ScriptedOrigin origin = echo();
                Running gateway = Setup.to(origin.address()).start();
                Http2Client client = gateway.http2()) {
            client.get(1, "/", "cookie", "a=1", "x", "y", "cookie", "b=2", "cookie", "c=3")
                    .response(1);
            assertThat(origin.requests().get(0).value("cookie")).contains("a=1; b=2; c=3");
        }
    }

    @Test
    @Rfc("9113, 8.3.1")
    void aHostFieldReplacesTheAuthorityAndMayRepeatIt() throws Exception {
        try (ScriptedOrigin origin = echo();
                Running gateway = Setup.to(origin.address()).start();
                Http2Client client = gateway.http2()) {
            client.headers(1, END_STREAM, ":method", "GET", ":scheme", "http", ":path", "/", "host", "b.test");
            assertThat(client.response(1).status()).isEqualTo(200);
            assertThat(client.get(3, "/", "host", "lychgate.test").response(3).status())
                    .isEqualTo(200);
            assertThat(origin.requests().get(0).value("host")).contains("b.test");
            assertThat(origin.requests().get(1).value("host")).contains("lychgate.test");
        }
    }

    @Test
    @Rfc({"9113, 8.1.1", "9113, 8.3.1"})
    void respondsToBadHostAndResetsStream() throws Exception {
        try (ScriptedOrigin origin = echo();
                Running gateway = Setup.to(origin.address()).start();
                Http2Client client = gateway.http2()) {
            String[] get = {":method", "GET", ":scheme", "http", ":path", "/"};
            client.get(1, "/", "host", "evil.test");
            client.headers(3, END_STREAM, get);
            client.headers(5, END_STREAM, with(get, "host", "a.test", "host", "a.test"));
            client.headers(7, END_STREAM, with(get, ":authority", "a/b"));
            client.headers(9, END_STREAM, with(get, ":authority", "s%65cret.test"));
            for (int stream = 1; stream <= 9; stream += 2) {
                assertProblem(client.response(stream), 400, ErrorKind.BAD_HOST);
                assertThat(client.awaitReset(stream)).isEqualTo(Http2Error.PROTOCOL_ERROR);
            }
            assertThat(client.get(11, "/").response(11).status()).isEqualTo(200);
            assertThat(origin.requestsSeen()).isEqualTo(1);
        }
    }

    private static String[] with(String[] fields, String... more) {
        return Stream.concat(Arrays.stream(fields), Arrays.stream(more)).toArray(String[]::new);
    }

    @Test
    @Rfc("9113, 5")
    void manyStreamsAreInterleavedAndEndInTheirOwnOrder() throws Exception {
        Gate gate = new Gate();
        try (ScriptedOrigin origin = ScriptedOrigin.answering((r, c) -> {
                    if (r.target().equals("/first")) {
                        c.stallUntil(gate);
                    }
                    c.send(Responses.ok(r.target()));
                });
                Running gateway = Setup.to(origin.address()).start();
                Http2Client client = gateway.http2()) {
            client.get(1, "/first");
            for (int stream = 3; stream < 201; stream += 2) {
                client.get(stream, "/" + stream);
            }
            for (int stream = 199; stream > 1; stream -= 2) {
                assertThat(client.response(stream).body()).isEqualTo("/" + stream);
            }
            assertThat(client.stream(1).hasHead()).isFalse();
            gate.open();
            assertThat(client.response(1).body()).isEqualTo("/first");
        }
    }

    @Test
    @Rfc("9113, 8.1")
    void aResponseBeforeTheEndOfItsRequestStopsTheRequest() throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.start().onConnection(c -> {
                    c.readHead();
                    c.send(Responses.of(403, "no", "Connection: close"));
                });
                Running gateway = Setup.to(origin.address()).start();
                Http2Client client = gateway.http2()) {
            client.post(1, "/").data(1, "some", false);
            Http2Response response = client.response(1);
            assertThat(response.status()).isEqualTo(403);
            assertThat(response.body()).isEqualTo("no");
            assertThat(client.awaitReset(1)).isEqualTo(Http2Error.NO_ERROR);
            // Frames in transit have no effect.
            client.data(1, "more", false).data(1, "and more", true).sync();
            assertThat(client.goAways()).isEmpty();
        }
    }

    @Test
    @Rfc("9113, 5.4.2")
    void aResetByTheClientEndsTheOriginsRequestAtOnce() throws Exception {
        var ending = new CompletableFuture<Ending>();
        try (ScriptedOrigin origin = ScriptedOrigin.start().onConnection(c -> {
                    c.readRequest();
                    ending.complete(c.awaitEnd());
                });
                Running gateway = Setup.to(origin.address()).start();
                Http2Client client = gateway.http2()) {
            client.get(1, "/");
            origin.awaitRequests(1);
            client.cancel(1);
            ending.get(10, TimeUnit.SECONDS);
            assertThat(gateway.nextOutcome().error()).isEqualTo(ErrorKind.CLIENT_GONE);
            client.sync();
        }
    }

    @Test
    @Rfc({"9113, 5.4.2", "9112, 8"})
    void anOriginThatBreaksOffItsAnswerResetsTheStreamAlone() throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.start()
                        .onNextConnection(c -> {
                            c.readRequest();
                            c.send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc");
                        })
                        .onConnection(c -> c.answerEvery(r -> Responses.ok("fine")));
                Running gateway = Setup.to(origin.address()).start();
                Http2Client client = gateway.http2()) {
            assertThat(client.get(1, "/").awaitReset(1)).isEqualTo(Http2Error.INTERNAL_ERROR);
            assertThat(client.stream(1).isEnded()).isFalse();
            assertThat(client.get(3, "/").response(3).body()).isEqualTo("fine");
        }
    }

    @Test
    void theGatewaysOwnErrorsAreProblems() throws Exception {
        try (Running gateway = new Setup().bodyLimit(new ByteSize(10)).start();
                Http2Client client = gateway.http2()) {
            assertProblem(client.get(1, "/").response(1), 404, ErrorKind.NO_ROUTE);
            assertProblem(client.get(3, "/%00").response(3), 400, ErrorKind.BAD_PATH);
            client.headers(5, END_STREAM, ":method", "CONNECT", ":authority", "a:1");
            assertProblem(client.response(5), 405, ErrorKind.METHOD_NOT_ALLOWED);
            assertProblem(client.get(7, "/" + "a".repeat(20_000)).response(7), 414, ErrorKind.URI_TOO_LONG);
            assertProblem(client.post(9, "/", "content-length", "11").response(9), 413, ErrorKind.BODY_TOO_LARGE);
            assertProblem(client.get(11, "/", "expect", "more").response(11), 417, ErrorKind.EXPECTATION_FAILED);
            client.headers(13, END_STREAM, ":method", "CONNECT", ":authority", "a", ":protocol", "websocket");
            assertThat(client.response(13).status()).isEqualTo(400);
            assertThat(client.awaitReset(13)).isEqualTo(Http2Error.PROTOCOL_ERROR);
            client.get(15, "/", "expect", "100-continue", "expect", "100-continue");
            assertProblem(client.response(15), 417, ErrorKind.EXPECTATION_FAILED);
        }
    }

    @Test
    void aBodyThatGrowsTooLongIsRefusedAndOthersContinue() throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.start().onConnection(c -> {
                    c.readHead();
                    c.awaitEnd();
                });
                Running gateway =
                        Setup.to(origin.address()).bodyLimit(new ByteSize(10)).start();
                Http2Client client = gateway.http2()) {
            client.post(1, "/").data(1, "12345", false);
            origin.awaitRequests(1);
            client.data(1, "678901", false);
            assertProblem(client.response(1), 413, ErrorKind.BODY_TOO_LARGE);
            assertThat(client.awaitReset(1)).isEqualTo(Http2Error.NO_ERROR);
            assertThat(gateway.nextOutcome().error()).isEqualTo(ErrorKind.BODY_TOO_LARGE);
            client.sync();
        }
    }

    @Test
    void aDeadOriginIsABadGatewayOnItsStreamAlone() throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.start().onConnection(c -> {
                    c.readRequest();
                    c.reset();
                });
                Running gateway = Setup.to(origin.address()).start();
                Http2Client client = gateway.http2()) {
            assertThat(client.post(1, "/").data(1, "x", true).response(1).status())
                    .isEqualTo(502);
            client.sync();
        }
    }

    /** The gateway abandons a connection after its client has closed its sending side, as in HTTP/1.1 (decision 2). */
    @Test
    void aClientThatClosesItsSideCountsAsGone() throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.start().onConnection(c -> {
                    c.readRequest();
                    c.awaitEnd();
                });
                Running gateway = Setup.to(origin.address()).start();
                Http2Client client = gateway.http2()) {
            client.get(1, "/");
            origin.awaitRequests(1);
            client.sync().halfClose().awaitEnd();
            assertThat(gateway.nextOutcome().error()).isEqualTo(ErrorKind.CLIENT_GONE);
            origin.awaitOpenConnections(0);
        }
    }

    @Test
    void largeHeadersOfAnOriginComeWholeInSeveralFields() throws Exception {
        String value = "v".repeat(6000);
        try (ScriptedOrigin origin = ScriptedOrigin.answering(
                        (r, c) -> c.send(Responses.of(200, "x", "X-A: " + value, "X-B: " + value)));
                Running gateway = Setup.to(origin.address()).start();
                Http2Client client = gateway.http2()) {
            Http2Response response = client.get(1, "/").response(1);
            assertThat(response.value("x-a")).contains(value);
            assertThat(response.value("x-b")).contains(value);
        }
    }
}
