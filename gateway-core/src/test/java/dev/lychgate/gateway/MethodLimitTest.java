package dev.lychgate.gateway;

import static dev.lychgate.testing.Http2Client.END_STREAM;
import static dev.lychgate.testing.Http2Client.request;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.config.ListenerProtocol;
import dev.lychgate.error.ErrorKind;
import dev.lychgate.testing.Http2Client;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.Responses;
import dev.lychgate.testing.Rfc;
import dev.lychgate.testing.ScriptedOrigin;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The length of methods: one limit for all protocols. */
class MethodLimitTest {
    private static int status(Running gateway, ListenerProtocol protocol, String method) throws Exception {
        if (protocol == ListenerProtocol.HTTP_1_1) {
            try (RawClient client = gateway.client()) {
                return client.send(method + " / HTTP/1.1\r\nHost: a\r\n\r\n")
                        .readResponse()
                        .status();
            }
        }
        try (Http2Client client = gateway.http2()) {
            return client.headers(1, END_STREAM, request(method, "/"))
                    .response(1)
                    .status();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "HTTP_1_1, 64, 200",
        "H2, 64, 200",
        "HTTP_1_1, 65, 501",
        "H2, 65, 501",
        "HTTP_1_1, 5000, 501",
        "H2, 5000, 501"
    })
    @Rfc({"9110, 9.1", "9110, 15.6.2"})
    void aMethodBeyond64BytesIsNotImplemented(ListenerProtocol protocol, int length, int status) throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.answering((r, c) -> c.send(Responses.ok("x")));
                Running gateway = Setup.to(origin.address()).start()) {
            assertThat(status(gateway, protocol, "M".repeat(length))).isEqualTo(status);
            assertThat(origin.requestsSeen()).isEqualTo(status == 200 ? 1 : 0);
            assertThat(gateway.nextOutcome().error()).isEqualTo(status == 200 ? null : ErrorKind.NOT_IMPLEMENTED);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {65, 5000})
    @Rfc("8441, 4")
    void aLongProtocolOfAnExtendedConnectIsNotImplemented(int length) throws Exception {
        try (Running gateway = new Setup().start();
                Http2Client client = gateway.http2()) {
            client.headers(
                    1,
                    Http2Client.NONE,
                    request("CONNECT", "/", ":protocol", "p".repeat(length), "sec-websocket-version", "13"));
            assertThat(client.head(1).status()).isEqualTo(501);
        }
    }
}
