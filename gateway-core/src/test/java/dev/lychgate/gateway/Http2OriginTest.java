package dev.lychgate.gateway;

import static dev.lychgate.testing.Http2Client.END_STREAM;
import static dev.lychgate.testing.Http2Client.NONE;
import static dev.lychgate.testing.Http2Client.request;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.config.PoolConfig;
import dev.lychgate.config.RetryConfig;
import dev.lychgate.config.RouteTimeouts;
import dev.lychgate.config.UpstreamProtocol;
import dev.lychgate.error.ErrorKind;
import dev.lychgate.http2.Http2Error;
import dev.lychgate.testing.Http2Client;
import dev.lychgate.testing.Http2Origin;
import dev.lychgate.testing.Http2Response;
import dev.lychgate.testing.RawMessage.Field;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** HTTP/2 origins, well-behaved or not, and the exchanges on their connections. */
@Tag("slow")
class Http2OriginTest {
    private static final int NO_ERROR = 0;
    private static final int REFUSED_STREAM = 7;
    private static final int CANCEL = 8;
    private static final int MAX_CONCURRENT_STREAMS = 3;
    private static final PoolConfig H2 = PoolConfig.DEFAULT.speaking(UpstreamProtocol.H2);

    private static Setup to(Http2Origin origin) {
        return Setup.to(origin.address()).pool(H2);
    }

    /** Regardless of earlier failures: the next request uses the same connection, and gets a response. */
    private static void assertGoesOn(Http2Client client, int stream, Http2Client connection, int next)
            throws Exception {
        client.get(stream, "/next");
        connection.asked(next);
        connection.respond(next, 200, "on we go");
        assertThat(client.response(stream).body()).isEqualTo("on we go");
    }

    @Test
    void aRefusedStreamIsSentAgainRegardlessOfItsMethod() throws Exception {
        try (Http2Origin origin = Http2Origin.start();
                Running gateway = to(origin).retrying(RetryConfig.DEFAULT).start();
                Http2Client client = gateway.http2()) {
            client.post(1, "/a", "content-length", "2").data(1, "hi", true);
            Http2Client connection = origin.accept();
            connection.asked(1);
            connection.reset(1, REFUSED_STREAM);
            assertThat(connection.response(3).value(":method")).contains("POST");
            assertThat(connection.stream(3).body()).isEqualTo("hi");
            connection.respond(3, 200, "well");
            assertThat(client.response(1).body()).isEqualTo("well");
        }
    }

    @Test
    void aCallThatTheOriginCancelsIsCancelledForItsClientWithoutARetry() throws Exception {
        try (Http2Origin origin = Http2Origin.start();
                Running gateway = to(origin).retrying(RetryConfig.DEFAULT).start();
                Http2Client client = gateway.http2()) {
            client.post(1, "/a", "content-type", "application/grpc", "te", "trailers")
                    .data(1, "hi", true);
            Http2Client connection = origin.accept();
            connection.asked(1);
            connection.reset(1, CANCEL);
            Http2Response response = client.response(1);
            assertThat(response.value("grpc-status")).contains("1");
            assertThat(response.value("grpc-message")).contains("the origin cancelled the request's stream");
            assertThat(gateway.nextOutcome().error()).isEqualTo(ErrorKind.ORIGIN_CANCELLED);
            assertGoesOn(client, 3, connection, 3);
        }
    }

    @Test
    void afterGoAwayEarlierStreamsFinishAndOthersUseAnotherConnection() throws Exception {
        try (Http2Origin origin = Http2Origin.start();
                Running gateway = to(origin).retrying(RetryConfig.DEFAULT).start();
                Http2Client client = gateway.http2()) {
            client.get(1, "/a");
            Http2Client first = origin.accept();
            first.asked(1);
            client.post(3, "/b", "content-length", "1").data(3, "b", true);
            first.response(3);
            first.goAway(1);
            Http2Client second = origin.accept();
            assertThat(second.response(1).value(":path")).contains("/b");
            second.respond(1, 200, "b");
            assertThat(client.response(3).body()).isEqualTo("b");
            first.respond(1, 200, "a");
            assertThat(client.response(1).body()).isEqualTo("a");
            first.awaitEnd();
            assertGoesOn(client, 5, second, 3);
        }
    }

    @Test
    void anUnprocessedRequestOnAUsedConnectionIsSentAgainWithoutAPolicy() throws Exception {
        try (Http2Origin origin = Http2Origin.start();
                Running gateway = to(origin).start();
                Http2Client client = gateway.http2()) {
            client.get(1, "/a");
            Http2Client first = origin.accept();
            first.asked(1);
            first.respond(1, 200, "a");
            assertThat(client.response(1).body()).isEqualTo("a");
            client.get(3, "/b");
            first.asked(3);
            first.goAway(1);
            Http2Client second = origin.accept();
            second.asked(1);
            second.respond(1, 200, "b");
            assertThat(client.response(3).body()).isEqualTo("b");
        }
    }

    @Test
    void aConnectionThatIsLostFailsItsStreamsOnly() throws Exception {
        try (Http2Origin origin = Http2Origin.start();
                Running gateway = to(origin).start();
                Http2Client client = gateway.http2()) {
            client.get(1, "/a");
            Http2Client first = origin.accept();
            first.asked(1);
            first.headers(1, NONE, ":status", "200").data(1, "half", false);
            client.await("half an answer", () -> client.stream(1).bytes() == 4);
            first.close();
            client.awaitReset(1);
            client.get(3, "/b");
            Http2Client second = origin.accept();
            second.asked(1);
            second.respond(1, 200, "b");
            assertThat(client.response(3).body()).isEqualTo("b");
        }
    }

    @Test
    void noMoreStreamsAreOpenedThanTheOriginAllows() throws Exception {
        try (Http2Origin origin = Http2Origin.start();
                Running gateway = to(origin).start();
                Http2Client client = gateway.http2()) {
            client.get(1, "/a");
            Http2Client first = origin.accept(MAX_CONCURRENT_STREAMS, 1);
            first.asked(1);
            first.sync();
            client.get(3, "/b");
            Http2Client second = origin.accept(MAX_CONCURRENT_STREAMS, 1);
            assertThat(second.asked(1).value(":path")).contains("/b");
            second.respond(1, 200, "b");
            first.respond(1, 200, "a");
            assertThat(client.response(3).body()).isEqualTo("b");
            assertThat(client.response(1).body()).isEqualTo("a");
        }
    }

    @Test
    void theNextRequestWaitsIfNoSecondConnectionIsPermitted() throws Exception {
        PoolConfig one = new PoolConfig(1, 100, Duration.ofMinutes(1), Duration.ofMinutes(1), 0);
        try (Http2Origin origin = Http2Origin.start();
                Running gateway =
                        to(origin).pool(one.speaking(UpstreamProtocol.H2)).start();
                Http2Client client = gateway.http2()) {
            client.get(1, "/a");
            Http2Client connection = origin.accept(MAX_CONCURRENT_STREAMS, 1);
            connection.asked(1);
            connection.sync();
            client.get(3, "/b").sync();
            connection.sync();
            assertThat(connection.stream(3).hasHead()).isFalse();
            connection.respond(1, 200, "a");
            connection.asked(3);
            connection.respond(3, 200, "b");
            assertThat(client.response(3).body()).isEqualTo("b");
        }
    }

    @Test
    void trailersAndInterimResponsesPassInBothDirections() throws Exception {
        try (Http2Origin origin = Http2Origin.start();
                Running gateway = to(origin).start();
                Http2Client client = gateway.http2()) {
            client.post(1, "/a").data(1, "hi", false).headers(1, END_STREAM, "x-sum", "1");
            Http2Client connection = origin.accept();
            Http2Response asked = connection.response(1);
            assertThat(asked.body()).isEqualTo("hi");
            assertThat(asked.trailers()).containsExactly(new Field("x-sum", "1"));
            connection
                    .headers(1, NONE, ":status", "103", "link", "</x>; rel=preload")
                    .headers(1, NONE, ":status", "200")
                    .data(1, "yes", false)
                    .headers(1, END_STREAM, "x-done", "2");
            Http2Response response = client.response(1);
            assertThat(response.interim()).containsExactly(103);
            assertThat(response.body()).isEqualTo("yes");
            assertThat(response.trailers()).containsExactly(new Field("x-done", "2"));
        }
    }

    @Test
    void aResponseToHeadHasALengthAndNoBody() throws Exception {
        try (Http2Origin origin = Http2Origin.start();
                Running gateway = to(origin).start();
                Http2Client client = gateway.http2()) {
            client.headers(1, END_STREAM, request("HEAD", "/"));
            Http2Client connection = origin.accept();
            assertThat(connection.response(1).value(":method")).contains("HEAD");
            connection.headers(1, END_STREAM, ":status", "200", "content-length", "5");
            assertThat(client.response(1).value("content-length")).contains("5");
            assertThat(client.response(1).bytes()).isZero();
            assertGoesOn(client, 3, connection, 3);
        }
    }

    @Test
    void aResponseBeforeTheEndOfTheUploadIsAccepted() throws Exception {
        try (Http2Origin origin = Http2Origin.start();
                Running gateway = to(origin).start();
                Http2Client client = gateway.http2()) {
            client.post(1, "/a").data(1, "some", false);
            Http2Client connection = origin.accept();
            connection.asked(1);
            connection.respond(1, 413, "too much").reset(1, NO_ERROR);
            Http2Response response = client.response(1);
            assertThat(response.status()).isEqualTo(413);
            assertThat(response.body()).isEqualTo("too much");
            assertGoesOn(client, 3, connection, 3);
        }
    }

    private static void assertMalformed(boolean end, String... head) throws Exception {
        try (Http2Origin origin = Http2Origin.start();
                Running gateway = to(origin).start();
                Http2Client client = gateway.http2()) {
            client.get(1, "/a");
            Http2Client connection = origin.accept();
            connection.asked(1);
            connection.headers(1, end ? END_STREAM : NONE, head);
            Http2Response response = client.response(1);
            assertThat(response.status()).isEqualTo(502);
            assertThat(response.body()).contains(ErrorKind.MALFORMED_RESPONSE.label());
            assertThat(connection.awaitReset(1)).isEqualTo(Http2Error.PROTOCOL_ERROR);
            assertGoesOn(client, 3, connection, 3);
        }
    }

    @Test
    void aMalformedResponseFailsOnlyItsStream() throws Exception {
        assertMalformed(true, "x-status", "200");
        assertMalformed(true, ":status", "200", "X-Upper", "1");
        assertMalformed(true, ":status", "200", "content-length", "5");
        assertMalformed(true, ":status", "101");
        assertMalformed(false, ":status", "200", "content-length", "5x");
    }

    @Test
    void aResponseLongerThanAnnouncedIsAborted() throws Exception {
        try (Http2Origin origin = Http2Origin.start();
                Running gateway = to(origin).start();
                Http2Client client = gateway.http2()) {
            client.get(1, "/a");
            Http2Client connection = origin.accept();
            connection.asked(1);
            connection.headers(1, NONE, ":status", "200", "content-length", "2").data(1, "too much", true);
            client.awaitReset(1);
            assertThat(connection.awaitReset(1)).isEqualTo(Http2Error.PROTOCOL_ERROR);
            assertGoesOn(client, 3, connection, 3);
        }
    }

    @Test
    void aMissingResponseEndsOnlyItsStream() throws Exception {
        Duration brief = Duration.ofMillis(2500);
        RouteTimeouts impatient = new RouteTimeouts(null, null, brief, brief, null);
        try (Http2Origin origin = Http2Origin.start();
                Running gateway = to(origin).timeouts(impatient).start();
                Http2Client client = gateway.http2()) {
            client.get(1, "/a");
            Http2Client connection = origin.accept();
            connection.asked(1);
            // Only a connection with received frames is not suspicious; clocks tick every 100 ms.
            Thread.sleep(300);
            connection.sync();
            assertThat(client.response(1).status()).isEqualTo(504);
            assertThat(connection.awaitReset(1)).isEqualTo(Http2Error.CANCEL);
            assertGoesOn(client, 3, connection, 3);

            client.get(5, "/b");
            connection.asked(5);
            Thread.sleep(300);
            connection.headers(5, NONE, ":status", "200").data(5, "half", false);
            client.awaitReset(5);
            assertThat(connection.awaitReset(5)).isEqualTo(Http2Error.CANCEL);
            assertGoesOn(client, 7, connection, 7);
        }
    }

    @Test
    void theDeadlineOfACallAppliesEvenIfTheOriginIgnoresIt() throws Exception {
        try (Http2Origin origin = Http2Origin.start();
                Running gateway = to(origin).start();
                Http2Client client = gateway.http2()) {
            client.post(1, "/a", "content-type", "application/grpc", "te", "trailers", "grpc-timeout", "1200m")
                    .data(1, "12345", true);
            Http2Client connection = origin.accept();
            assertThat(connection.response(1).value("grpc-timeout")).contains("1200m");
            assertThat(connection.stream(1).value("te")).contains("trailers");
            Http2Response response = client.response(1);
            assertThat(response.status()).isEqualTo(200);
            assertThat(response.value("grpc-status")).contains("4");
            assertThat(response.value("content-type")).contains("application/grpc");
            assertThat(response.value("content-length")).isEmpty();
            assertThat(gateway.nextOutcome().status()).isEqualTo(504);
            assertThat(connection.awaitReset(1)).isEqualTo(Http2Error.CANCEL);
            assertGoesOn(client, 3, connection, 3);
        }
    }

    @Test
    void aClientThatLeavesCancelsItsStreamAlone() throws Exception {
        try (Http2Origin origin = Http2Origin.start();
                Running gateway = to(origin).start();
                Http2Client client = gateway.http2()) {
            client.get(1, "/a");
            Http2Client connection = origin.accept();
            connection.asked(1);
            client.cancel(1);
            assertThat(connection.awaitReset(1)).isEqualTo(Http2Error.CANCEL);
            assertGoesOn(client, 3, connection, 3);
        }
    }

    @Test
    void anUnusedConnectionIsClosed() throws Exception {
        PoolConfig brief = new PoolConfig(10, 100, Duration.ofMillis(300), Duration.ofMinutes(1), 0);
        try (Http2Origin origin = Http2Origin.start();
                Running gateway =
                        to(origin).pool(brief.speaking(UpstreamProtocol.H2)).start();
                Http2Client client = gateway.http2()) {
            client.get(1, "/a");
            Http2Client connection = origin.accept();
            connection.asked(1);
            connection.respond(1, 200, "a");
            assertThat(client.response(1).body()).isEqualTo("a");
            assertThat(connection.awaitGoAwayAndEnd().error()).isEqualTo(Http2Error.NO_ERROR);
        }
    }
}
