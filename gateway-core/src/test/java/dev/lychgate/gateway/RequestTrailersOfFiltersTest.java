package dev.lychgate.gateway;

import static dev.lychgate.testing.Http2Client.END_STREAM;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.chain.FilterSet;
import dev.lychgate.filter.BodyTransform;
import dev.lychgate.filter.FilterPhase;
import dev.lychgate.filter.FilterRequest;
import dev.lychgate.testing.Http2Client;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.RawMessage.Field;
import dev.lychgate.testing.Responses;
import dev.lychgate.testing.ScriptedOrigin;
import dev.lychgate.testing.TestFilter;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A client cannot send a field that a filter has set or removed as a trailer. */
class RequestTrailersOfFiltersTest {
    private static final String HEAD =
            "POST / HTTP/1.1\r\nHost: a\r\nX-User: forged\r\nTransfer-Encoding: chunked\r\n\r\n";

    private static TestFilter onRequest(Consumer<FilterRequest> action) {
        return TestFilter.of("in", FilterPhase.INBOUND, exchange -> {
            action.accept(exchange.getRequest());
            return exchange.proceed();
        });
    }

    private static ScriptedOrigin origin() {
        return ScriptedOrigin.answering((request, connection) -> connection.send(Responses.ok("x")));
    }

    private static List<String> received(TestFilter filter, String name) throws Exception {
        try (ScriptedOrigin origin = origin();
                Running gateway =
                        Setup.to(origin.address()).filters(FilterSet.of(filter)).start();
                RawClient client = gateway.client()) {
            client.send(HEAD + "2\r\nhi\r\n");
            client.send("0\r\n" + name + ": forged\r\nX-Sum: 1\r\n\r\n").readResponse();
            return origin.awaitRequests(1).get(0).trailers().stream()
                    .map(Field::name)
                    .toList();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"X-User", "x_user", "X.USER"})
    void aFieldThatAFilterSetsIsRemovedInEverySpelling(String name) throws Exception {
        assertThat(received(onRequest(request -> request.getHeaders().set("x-user", "alice")), name))
                .containsExactly("X-Sum");
    }

    @Test
    void aFieldThatAFilterAddsOrRemovesIsRemoved() throws Exception {
        assertThat(received(onRequest(request -> request.getHeaders().add("x-user", "alice")), "x_user"))
                .containsExactly("X-Sum");
        assertThat(received(onRequest(request -> request.getHeaders().remove("x-user")), "x_user"))
                .containsExactly("X-Sum");
    }

    @Test
    void otherTrailersPass() throws Exception {
        assertThat(received(onRequest(request -> request.getHeaders().set("x-use", "alice")), "X-User"))
                .containsExactly("X-User", "X-Sum");
    }

    @Test
    void aFilterThatNeedsTheWholeBodySeesThemBeforeTheyAreRemoved() throws Exception {
        TestFilter filter = onRequest(request -> request.getHeaders().set("x-user", request.getText()))
                .needing(100);
        assertThat(received(filter, "X_User")).containsExactly("X-Sum");
    }

    @Test
    void trailersBehindATransformAreRemoved() throws Exception {
        TestFilter filter = onRequest(request -> {
            request.getHeaders().set("x-user", "alice");
            request.transformBody((BodyTransform) piece -> piece);
        });
        assertThat(received(filter, "X_User")).containsExactly("X-Sum");
    }

    @Test
    void trailersOfAnHttp2RequestWithALengthAreRemoved() throws Exception {
        try (ScriptedOrigin origin = origin();
                Running gateway = Setup.to(origin.address())
                        .filters(FilterSet.of(
                                onRequest(request -> request.getHeaders().set("x-user", "alice"))))
                        .start();
                Http2Client client = gateway.http2()) {
            client.post(1, "/", "content-length", "2")
                    .data(1, "hi", false)
                    .headers(1, END_STREAM, "x-user", "forged", "x_user", "forged");
            client.response(1);
            assertThat(origin.awaitRequests(1).get(0).trailers()).isEmpty();
            client.post(3, "/").data(3, "hi", false).headers(3, END_STREAM, "x-user", "forged", "x-sum", "1");
            client.response(3);
            assertThat(origin.awaitRequests(2).get(1).trailers())
                    .extracting(Field::toString)
                    .containsExactly("x-sum: 1");
        }
    }
}
