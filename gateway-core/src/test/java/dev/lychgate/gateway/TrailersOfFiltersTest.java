package dev.lychgate.gateway;

import static dev.lychgate.testing.Http2Client.END_STREAM;
import static dev.lychgate.testing.Http2Client.NONE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lychgate.chain.FilterSet;
import dev.lychgate.config.PoolConfig;
import dev.lychgate.config.UpstreamProtocol;
import dev.lychgate.filter.BodyTransform;
import dev.lychgate.filter.FailurePolicy;
import dev.lychgate.filter.FilterPhase;
import dev.lychgate.filter.FilterResponse;
import dev.lychgate.filter.Trailers;
import dev.lychgate.testing.Http2Client;
import dev.lychgate.testing.Http2Origin;
import dev.lychgate.testing.Http2Response;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.RawMessage;
import dev.lychgate.testing.RawMessage.Field;
import dev.lychgate.testing.ScriptedOrigin;
import dev.lychgate.testing.TestFilter;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Trailers of responses and gRPC statuses, as outbound filters read and change them. */
@Tag("slow")
class TrailersOfFiltersTest {
    private static final String CHUNKED =
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\nX-Sum: 1\r\nX-Old: 2\r\n\r\n";
    private static final String WITH_LENGTH = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi";
    private static final PoolConfig H2 = PoolConfig.DEFAULT.speaking(UpstreamProtocol.H2);

    private final List<String> seen = new CopyOnWriteArrayList<>();

    private TestFilter onResponse(Consumer<FilterResponse> action) {
        return TestFilter.of("out", FilterPhase.OUTBOUND, exchange -> {
            action.accept(exchange.getResponse());
            return exchange.proceed();
        });
    }

    private TestFilter onTrailers(Consumer<Trailers> action) {
        return onResponse(response -> response.onTrailers(trailers -> {
            seen.add(String.valueOf(trailers.get("x-sum")));
            action.accept(trailers);
        }));
    }

    private static RawMessage get(TestFilter filter, String answer, String request) throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.answering((r, c) -> c.send(answer));
                Running gateway =
                        Setup.to(origin.address()).filters(FilterSet.of(filter)).start();
                RawClient client = gateway.client()) {
            return client.send(request).readResponse();
        }
    }

    private static RawMessage get(TestFilter filter, String answer) throws Exception {
        return get(filter, answer, "GET / HTTP/1.1\r\nHost: a\r\n\r\n");
    }

    // ---- HTTP/1.1

    @Test
    void trailersAreReadAndChangedAfterAChunkedBody() throws Exception {
        RawMessage response = get(
                onTrailers(trailers -> {
                    trailers.set("x-sum", "one");
                    trailers.remove("x-old");
                    trailers.add("x-new", "3");
                }),
                CHUNKED);
        assertThat(response.body()).isEqualTo("hi");
        assertThat(response.trailers()).containsExactly(new Field("x-sum", "one"), new Field("x-new", "3"));
        assertThat(seen).containsExactly("1");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void areAddedToABodyOfKnownLengthWhichIsThenSentChunked(boolean replaced) throws Exception {
        RawMessage response = get(
                onResponse(message -> {
                    if (replaced) {
                        message.setText("new");
                    }
                    message.onTrailers(trailers -> trailers.set("x-new", "3"));
                }),
                WITH_LENGTH);
        assertThat(response.body()).isEqualTo(replaced ? "new" : "hi");
        assertThat(response.value("transfer-encoding")).contains("chunked");
        assertThat(response.value("content-length")).isEmpty();
        assertThat(response.trailers()).containsExactly(new Field("x-new", "3"));
    }

    @Test
    void trailersFollowTheLastBytesOfATransform() throws Exception {
        RawMessage response = get(
                onResponse(message -> {
                    int[] bytes = {0};
                    message.transformBody(new BodyTransform() {
                        @Override
                        public byte[] piece(byte[] piece) {
                            bytes[0] += piece.length;
                            return piece;
                        }

                        @Override
                        public byte[] end() {
                            return new byte[] {'!'};
                        }
                    });
                    message.onTrailers(trailers -> trailers.set("x-bytes", "" + bytes[0]));
                    message.onTrailers(trailers -> trailers.add("x-bytes", trailers.get("x-bytes") + "+1"));
                }),
                CHUNKED);
        assertThat(response.body()).isEqualTo("hi!");
        assertThat(response.trailers())
                .contains(new Field("x-bytes", "2"), new Field("x-bytes", "2+1"), new Field("X-Sum", "1"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "content-length",
                "Transfer-Encoding",
                "set-cookie",
                "Authorization",
                "x-forwarded-for",
                "host",
                "a b"
            })
    void areRefusedIfTheyMustNotFollowABody(String name) throws Exception {
        RawMessage response = get(
                onTrailers(trailers -> {
                    assertThatThrownBy(() -> trailers.set(name, "1")).isInstanceOf(IllegalArgumentException.class);
                    assertThatThrownBy(() -> trailers.add(name, "1")).isInstanceOf(IllegalArgumentException.class);
                    trailers.set("x-sum", "refused");
                }),
                CHUNKED);
        assertThat(response.trailers()).contains(new Field("x-sum", "refused"));
    }

    @Test
    void trailersPassIfTheActionOfAFilterFailsThatFailsOpen() throws Exception {
        RawMessage response = get(
                onTrailers(trailers -> {
                    throw new IllegalStateException("no");
                }),
                CHUNKED);
        assertThat(response.trailers()).hasSize(2);
    }

    @Test
    void abortsTheResponseIfTheActionOfAFilterFailsThatFailsClosed() {
        TestFilter filter = onTrailers(trailers -> {
                    throw new IllegalStateException("no");
                })
                .failing(FailurePolicy.FAIL_CLOSED);
        assertThatThrownBy(() -> get(filter, CHUNKED)).isInstanceOf(IOException.class);
        assertThat(seen).containsExactly("1");
    }

    @Test
    void trailersCannotBeUsedAfterTheAction() throws Exception {
        List<Trailers> kept = new CopyOnWriteArrayList<>();
        get(onTrailers(kept::add), CHUNKED);
        assertThatThrownBy(() -> kept.get(0).get("x-sum")).isInstanceOf(IllegalStateException.class);
    }

    @ParameterizedTest
    @CsvSource({"HEAD, 200 OK", "GET, 304 Not Modified", "GET, 204 No Content"})
    void areNotPartOfAResponseWithoutABody(String method, String status) throws Exception {
        RawMessage response = get(
                onTrailers(trailers -> {}),
                "HTTP/1.1 " + status + "\r\n\r\n",
                method + " / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
        assertThat(response.trailers()).isEmpty();
        assertThat(seen).isEmpty();
    }

    // ---- HTTP/2

    private static Http2Response call(TestFilter filter, Consumer<Http2Client> answer) throws Exception {
        try (Http2Origin origin = Http2Origin.start();
                Running gateway = Setup.to(origin.address())
                        .pool(H2)
                        .filters(FilterSet.of(filter))
                        .start();
                Http2Client client = gateway.http2()) {
            client.post(1, "/a", "content-type", "application/grpc", "te", "trailers")
                    .data(1, "hi", true);
            Http2Client connection = origin.accept();
            connection.response(1);
            answer.accept(connection);
            return client.response(1);
        }
    }

    private static Consumer<Http2Client> answer(String... trailers) {
        return connection -> unchecked(() -> connection
                .headers(1, NONE, ":status", "200", "content-type", "application/grpc")
                .data(1, "yes", false)
                .headers(1, END_STREAM, trailers));
    }

    /** An action of a test that may throw. */
    private interface Sending {
        Object send() throws Exception;
    }

    private static void unchecked(Sending sending) {
        try {
            sending.send();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void trailersOfAGrpcResponseHaveItsStatus() throws Exception {
        Http2Response response = call(
                onTrailers(trailers -> {
                    seen.add(trailers.getGrpcStatus() + " " + trailers.getGrpcMessage());
                    trailers.setGrpcStatus(14);
                    trailers.setGrpcMessage("50 % \u00e4\n");
                }),
                answer("grpc-status", "13", "grpc-message", "a%20b%25%C3%A4%zz", "x-sum", "7"));
        assertThat(seen).containsExactly("7", "13 a b%\u00e4%zz");
        assertThat(response.body()).isEqualTo("yes");
        assertThat(response.trailers())
                .containsExactlyInAnyOrder(
                        new Field("grpc-status", "14"),
                        new Field("grpc-message", "50 %25 %C3%A4%0A"),
                        new Field("x-sum", "7"));
    }

    @Test
    void trailersOfAGrpcResponseMayLackAStatusOrHaveAMalformedOne() throws Exception {
        call(
                onTrailers(trailers -> seen.add(trailers.getGrpcStatus() + " " + trailers.getGrpcMessage())),
                answer("x-sum", "1"));
        call(
                onTrailers(trailers -> seen.add("" + trailers.getGrpcStatus())),
                answer("x-sum", "1", "grpc-status", "-1"));
        assertThat(seen).containsExactly("1", "null null", "1", "null");
    }

    @Test
    void trailersOfAGrpcResponseWithoutMessagesAreItsHeaders() throws Exception {
        Http2Response response = call(
                onTrailers(trailers -> {
                    seen.add("" + trailers.getGrpcStatus());
                    trailers.setGrpcStatus(5);
                    trailers.setGrpcMessage(null);
                    seen.add(trailers.get("content-type") + trailers.getAll("content-type"));
                    trailers.getNames().forEach(name -> {
                        if (!name.startsWith("grpc-")) {
                            trailers.remove(name);
                        }
                    });
                    trailers.remove("content-type");
                }),
                connection -> unchecked(() -> connection.headers(
                        1,
                        END_STREAM,
                        ":status",
                        "200",
                        "content-type",
                        "application/grpc",
                        "grpc-status",
                        "2",
                        "grpc-message",
                        "x")));
        assertThat(seen).containsExactly("null", "2", "null[]");
        assertThat(response.value("content-type")).contains("application/grpc");
        assertThat(response.value("grpc-status")).contains("5");
        assertThat(response.value("grpc-message")).isEmpty();
        assertThat(response.trailers()).isEmpty();
    }
}
