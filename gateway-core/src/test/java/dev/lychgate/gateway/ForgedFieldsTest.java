package dev.lychgate.gateway;

import static dev.lychgate.testing.Http2Client.END_STREAM;
import static dev.lychgate.testing.Http2Client.NONE;
import static dev.lychgate.testing.Http2Client.request;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.testing.Http2Client;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.RawMessage;
import dev.lychgate.testing.RawMessage.Field;
import dev.lychgate.testing.Responses;
import dev.lychgate.testing.Rfc;
import dev.lychgate.testing.ScriptedOrigin;
import java.util.Locale;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Fields that only a proxy may set, in every place of a request where an untrusted client can put them. */
class ForgedFieldsTest {
    private static final String FORGED = "forged";

    private static ScriptedOrigin origin() {
        return ScriptedOrigin.answering((r, c) -> c.send(Responses.ok("x")));
    }

    /** Sends the field as a header field, and asserts on the forwarded field. */
    private static void assertHeaderRemoved(Setup setup, ScriptedOrigin origin, String name) throws Exception {
        try (Running gateway = setup.start();
                RawClient client = gateway.client()) {
            client.send("GET / HTTP/1.1\r\nHost: a\r\n" + name + ": " + FORGED + "\r\nX-Kept: kept\r\n\r\n");
            assertThat(client.readResponse().status()).isEqualTo(200);
            RawMessage seen = origin.awaitRequests(1).get(0);
            assertThat(seen.fields()).extracting(Field::value).doesNotContain(FORGED);
            assertThat(seen.value("x-kept")).contains("kept");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "X_Real_IP",
                "X-Real-IP-2",
                "X_Request_Id",
                "Forwarded-For",
                "X.Forwarded.For",
                "X-Original-URL",
                "x_original_url",
                "X-Original-URI",
                "X-Rewrite-URL",
                "X_REWRITE_URL",
                "Proxy",
                "PROXY"
            })
    @Rfc("7239, 8.1")
    void areRemovedFromTheHeaderSection(String name) throws Exception {
        try (ScriptedOrigin origin = origin()) {
            assertHeaderRemoved(Setup.to(origin.address()), origin, name);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "X-Real-IP",
                "X_Real_IP",
                "X-Real-IP-2",
                "X_Request_Id",
                "Forwarded-For",
                "X.Forwarded.For",
                "X-Original-URL",
                "X_Original_URI",
                "X-Rewrite-URL",
                "Proxy",
                "X-Lychgate-Trace",
                "X_Lychgate_Trace",
                "Content_Type",
                "If_Match"
            })
    @Rfc({"7239, 8.1", "9110, 6.5.1"})
    void areRemovedFromTheTrailerSection(String name) throws Exception {
        try (ScriptedOrigin origin = origin();
                Running gateway = Setup.to(origin.address()).start();
                RawClient client = gateway.client()) {
            client.send("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n" + name + ": "
                    + FORGED + "\r\nX-Sum: 1\r\n\r\n");
            assertThat(client.readResponse().status()).isEqualTo(200);
            assertThat(origin.awaitRequests(1).get(0).trailers())
                    .extracting(Field::toString)
                    .containsExactly("X-Sum: 1");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "X_Real_IP",
                "X-Real-IP-2",
                "Forwarded-For",
                "X-Original-URL",
                "X-Rewrite-URL",
                "Proxy",
                "If_Match"
            })
    @Rfc({"7239, 8.1", "9113, 8.1"})
    void areRemovedFromTheTrailerSectionOfAStream(String name) throws Exception {
        try (ScriptedOrigin origin = origin();
                Running gateway = Setup.to(origin.address()).start();
                Http2Client client = gateway.http2()) {
            client.headers(1, NONE, request("POST", "/"))
                    .data(1, "x", false)
                    .headers(1, END_STREAM, name.toLowerCase(Locale.ROOT), FORGED, "x-sum", "1");
            assertThat(client.response(1).status()).isEqualTo(200);
            assertThat(origin.awaitRequests(1).get(0).trailers())
                    .extracting(Field::toString)
                    .containsExactly("x-sum: 1");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"X-Original-URL", "X-Rewrite-URL", "X-Real-IP"})
    @Rfc("7239, 4")
    void keepsFieldsOfATrustedProxy(String name) throws Exception {
        try (ScriptedOrigin origin = origin();
                Running gateway =
                        Setup.to(origin.address()).trusting("127.0.0.0/8").start();
                RawClient client = gateway.client()) {
            client.send("GET / HTTP/1.1\r\nHost: a\r\n" + name + ": /of-the-proxy\r\n\r\n");
            assertThat(client.readResponse().status()).isEqualTo(200);
            assertThat(origin.awaitRequests(1).get(0).value(name)).contains("/of-the-proxy");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"Proxy", "proxy"})
    void proxyIsRemovedEvenIfATrustedProxySendsIt(String name) throws Exception {
        try (ScriptedOrigin origin = origin()) {
            assertHeaderRemoved(Setup.to(origin.address()).trusting("127.0.0.0/8"), origin, name);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"X-Real-IP", "X-Forwarded-Prefix", "X-Original-URL"})
    void cannotBeNominatedAwayInConnection(String name) throws Exception {
        try (ScriptedOrigin origin = origin();
                Running gateway =
                        Setup.to(origin.address()).trusting("127.0.0.0/8").start();
                RawClient client = gateway.client()) {
            client.send("GET / HTTP/1.1\r\nHost: a\r\nConnection: " + name + "\r\n" + name + ": 1\r\n\r\n");
            assertThat(client.readResponse().status()).isEqualTo(200);
            assertThat(origin.awaitRequests(1).get(0).value(name)).contains("1");
        }
    }
}
