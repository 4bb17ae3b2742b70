package dev.lychgate.gateway;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.config.Transport;
import dev.lychgate.exchange.state.Half;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.RawMessage;
import dev.lychgate.testing.Responses;
import dev.lychgate.testing.Rfc;
import dev.lychgate.testing.ScriptedOrigin;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Ordinary requests in every framing, on both transports, complete and in order. */
@ParameterizedClass
@EnumSource(names = {"AUTO", "NIO"})
@Tag("slow")
class PlainTrafficTest {
    @Parameter
    @SuppressWarnings("NullAway.Init") // by JUnit
    Transport transport;

    private Running start(ScriptedOrigin origin) {
        return Setup.to(origin.address()).transport(transport).start();
    }

    @Test
    @Rfc({"9112, 3.2.1", "9110, 6.6.1"})
    void aGetPassesAndIsRecorded() throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.answering((r, c) -> c.send(Responses.of(200, "hello", "X-A: 1")));
                Running gateway = start(origin);
                RawClient client = gateway.client()) {
            RawMessage answer = client.get("/a?q=1&q=%202");
            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.body()).isEqualTo("hello");
            assertThat(answer.value("X-A")).contains("1");
            assertThat(answer.has("Date")).isTrue();
            assertThat(origin.awaitRequests(1).get(0).startLine()).isEqualTo("GET /a?q=1&q=%202 HTTP/1.1");
            Outcome outcome = gateway.nextOutcome();
            assertThat(outcome.status()).isEqualTo(200);
            assertThat(outcome.attempts()).isEqualTo(1);
            assertThat(outcome.error()).isNull();
            assertThat(outcome.request()).isEqualTo(Half.DONE);
            assertThat(outcome.response()).isEqualTo(Half.DONE);
            assertThat(outcome.responseBytes()).isEqualTo(5);
        }
    }

    @Test
    @Rfc({"9112, 6.2", "9112, 4"})
    void aPostWithALengthPassesAndItsBytesAreCounted() throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.answering((r, c) -> c.send(Responses.of(201, r.body())));
                Running gateway = start(origin);
                RawClient client = gateway.client()) {
            client.send("POST /p HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nabcde");
            RawMessage answer = client.readResponse();
            assertThat(answer.startLine()).isEqualTo("HTTP/1.1 201 Scripted");
            assertThat(answer.body()).isEqualTo("abcde");
            assertThat(origin.awaitRequests(1).get(0).value("content-length")).contains("5");
            assertThat(gateway.nextOutcome().requestBytes()).isEqualTo(5);
        }
    }

    @Test
    @Rfc({"9112, 7.1", "9112, 7.1.2"})
    void aBodyInChunksStaysInChunksAndKeepsItsTrailers() throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.answering(
                        (r, c) -> c.send(Responses.head(200, "Transfer-Encoding: chunked", "Trailer: sum")
                                + "\r\n2\r\nxy\r\n3;ext=1\r\nzzz\r\n0\r\nSum: 7\r\n\r\n"));
                Running gateway = start(origin);
                RawClient client = gateway.client()) {
            client.send("POST /p HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
                    + "3\r\nabc\r\n2\r\nde\r\n0\r\nDigest: 9\r\n\r\n");
            RawMessage answer = client.readResponse();
            assertThat(answer.body()).isEqualTo("xyzzz");
            assertThat(answer.value("transfer-encoding")).contains("chunked");
            assertThat(answer.trailers()).containsExactly(new RawMessage.Field("Sum", "7"));
            RawMessage request = origin.awaitRequests(1).get(0);
            assertThat(request.body()).isEqualTo("abcde");
            assertThat(request.value("transfer-encoding")).contains("chunked");
            assertThat(request.trailers()).containsExactly(new RawMessage.Field("Digest", "9"));
        }
    }

    @Test
    @Rfc({"9110, 9.3.2", "9112, 6.3"})
    void aHeadGetsTheLengthButNoBodyAndTheConnectionStaysInStep() throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.answering((r, c) -> c.send(
                        r.method().equals("HEAD")
                                ? Responses.head(200, "Content-Length: 99") + "\r\n"
                                : Responses.ok("g")));
                Running gateway = start(origin);
                RawClient client = gateway.client()) {
            client.send("HEAD / HTTP/1.1\r\nHost: a\r\n\r\n");
            assertThat(client.readResponseTo("HEAD").value("content-length")).contains("99");
            assertThat(client.get("/").body()).isEqualTo("g");
            assertThat(origin.connectionsAccepted()).isEqualTo(1);
        }
    }

    @Test
    @Rfc({"9112, 6.3", "9110, 8.6", "9110, 15.3.5", "9110, 15.4.5"})
    void answersThatNeverHaveABodyKeepBothConnectionsInStep() throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.answering((r, c) -> {
                    switch (r.target()) {
                        case "/204" -> c.send(Responses.head(204) + "\r\n");
                        case "/304" -> c.send(Responses.head(304, "Content-Length: 7", "ETag: \"x\"") + "\r\n");
                        default -> c.send(Responses.ok("after"));
                    }
                });
                Running gateway = start(origin);
                RawClient client = gateway.client()) {
            RawMessage none = client.get("/204");
            assertThat(none.status()).isEqualTo(204);
            assertThat(none.has("content-length") || none.has("transfer-encoding"))
                    .isFalse();
            assertThat(client.get("/304").value("etag")).contains("\"x\"");
            assertThat(client.get("/").body()).isEqualTo("after");
            assertThat(origin.connectionsAccepted()).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Content-Length: 7\r\n\r\nsurplus",
                "Content-Length: 7\r\n\r\nsur",
                "Transfer-Encoding: chunked\r\n\r\n7\r\nsurplus\r\n0\r\n\r\n",
                "Transfer-Encoding: chunked\r\n\r\nno chunk",
                "\r\nsurplus until the connection closes, which stays open",
            })
    @Rfc({"9110, 15.3.6", "9112, 6.3"})
    void dropsContentOfResetContentWithoutWaitingForItsEnd(String rest) throws Exception {
        try (ScriptedOrigin origin =
                        ScriptedOrigin.answering((r, c) -> c.send("HTTP/1.1 205 Reset Content\r\n" + rest));
                Running gateway = start(origin);
                RawClient client = gateway.client()) {
            for (int i = 0; i < 2; i++) {
                RawMessage reset = client.get("/");
                assertThat(reset.status()).isEqualTo(205);
                assertThat(reset.value("content-length")).contains("0");
                assertThat(reset.has("transfer-encoding")).isFalse();
                assertThat(reset.body()).isEmpty();
            }
            assertThat(origin.connectionsAccepted()).isEqualTo(2);
        }
    }

    @Test
    @Rfc({"9112, 6.3", "9112, 7.1"})
    void anAnswerThatEndsWithItsConnectionIsChunkedToAnHttp11Client() throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.start().onConnection(c -> {
                    c.readRequest();
                    c.send(Responses.head(200) + "\r\nall of it");
                });
                Running gateway = start(origin);
                RawClient client = gateway.client()) {
            assertThat(client.get("/").body()).isEqualTo("all of it");
            RawMessage second = client.get("/");
            assertThat(second.body()).isEqualTo("all of it");
            assertThat(second.value("transfer-encoding")).contains("chunked");
            assertThat(origin.connectionsAccepted()).isEqualTo(2);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"HTTP/1.1 200", "HTTP/1.1 200 "})
    @Rfc("9112, 4")
    void aStatusLineWithoutAReasonIsPassedOnWithTheSpaceBeforeIt(String statusLine) throws Exception {
        String passed = "HTTP/1.1 200 \r\n";
        try (ScriptedOrigin origin =
                        ScriptedOrigin.answering((r, c) -> c.send(statusLine + "\r\nContent-Length: 2\r\n\r\nok"));
                Running gateway = Setup.to(origin.address()).start();
                RawClient client = gateway.client()) {
            client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
            assertThat(new String(client.readBytes(passed.length()), US_ASCII)).isEqualTo(passed);
            assertThat(gateway.nextOutcome().status()).isEqualTo(200);
        }
    }

    @Test
    @Rfc("9112, 9.3.2")
    void pipelinedRequestsGetTheirResponsesInOrderOneAtATime() throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.answering((r, c) -> c.send(Responses.ok(r.target() + r.body())));
                Running gateway = start(origin);
                RawClient client = gateway.client()) {
            client.send("GET /1 HTTP/1.1\r\nHost: a\r\n\r\n"
                    + "POST /2 HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc"
                    + "POST /3 HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nd\r\n0\r\n\r\n"
                    + "GET /4 HTTP/1.1\r\nHost: a\r\n\r\n");
            assertThat(client.readResponse().body()).isEqualTo("/1");
            assertThat(client.readResponse().body()).isEqualTo("/2abc");
            assertThat(client.readResponse().body()).isEqualTo("/3d");
            assertThat(client.readResponse().body()).isEqualTo("/4");
            assertThat(origin.connectionsAccepted()).isEqualTo(1);
        }
    }

    @Test
    @Rfc("9112, 9.3.2")
    void manyPipelinedRequestsWithoutAnOriginGetResponsesToo() throws Exception {
        try (Running gateway = new Setup()
                        .transport(transport)
                        .route("x", "/x", new dev.lychgate.config.RouteAction.Respond(200, java.util.Map.of(), "local"))
                        .start();
                RawClient client = gateway.client()) {
            client.send("GET /x HTTP/1.1\r\nHost: a\r\n\r\n".repeat(500));
            for (int i = 0; i < 500; i++) {
                assertThat(client.readResponse().body()).isEqualTo("local");
            }
        }
    }

    @Test
    @Rfc({"9112, 2.2", "9112, 7.1"})
    void aRequestThatComesByteByByteIsUnderstood() throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.answering((r, c) -> c.send(Responses.ok(r.body())));
                Running gateway = start(origin);
                RawClient client = gateway.client()) {
            String request = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n0\r\n\r\n";
            client.sendSlowly(request, request.length(), java.time.Duration.ofNanos(1));
            assertThat(client.readResponse().body()).isEqualTo("ab");
        }
    }
}
