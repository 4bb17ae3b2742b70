package dev.lychgate.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.RawMessage;
import dev.lychgate.testing.Responses;
import dev.lychgate.testing.Rfc;
import dev.lychgate.testing.ScriptedOrigin;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** OPTIONS and TRACE with Max-Forwards (RFC 9110, 7.6.2). */
class MaxForwardsTest {
    private static String ask(String method, String target, String count) {
        return method + " " + target + " HTTP/1.1\r\nHost: a\r\nAuthorization: secret\r\nCookie: c\r\nMax-Forwards: "
                + count + "\r\nX: y\r\n\r\n";
    }

    @ParameterizedTest
    @CsvSource({
        "OPTIONS, 5, 4",
        "TRACE, 10, 9",
        "OPTIONS, 007, 6",
        "OPTIONS, 99999999999999999999, 2147483646",
        "GET, 5, 5",
        "OPTIONS, x, x",
        "OPTIONS, -1, -1"
    })
    @Rfc("9110, 7.6.2")
    void theCountIsOneLessAfterUs(String method, String given, String sent) throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.answering(
                        (r, c) -> c.send(Responses.ok(r.value("max-forwards").orElse("none"))));
                Running gateway = Setup.to(origin.address()).start();
                RawClient client = gateway.client()) {
            client.send(ask(method, "/", given));
            assertThat(client.readResponse().body()).isEqualTo(sent);
        }
    }

    @Test
    @Rfc({"9110, 7.6.2", "9110, 9.3.7"})
    void atZeroWeAnswerOptionsOurselves() throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.answering((r, c) -> c.send(Responses.ok("must not happen")));
                Running gateway = Setup.to(origin.address()).start();
                RawClient client = gateway.client()) {
            for (String target : new String[] {"/a", "*"}) {
                client.send(ask("OPTIONS", target, "0"));
                RawMessage response = client.readResponse();
                assertThat(response.status()).isEqualTo(200);
                assertThat(response.value("allow").orElseThrow()).contains("OPTIONS");
                assertThat(response.value("content-length")).contains("0");
            }
            assertThat(origin.requestsSeen()).isZero();
        }
    }

    @Test
    @Rfc({"9110, 7.6.2", "9110, 9.3.8"})
    void atZeroWeEchoTraceWithoutItsSecrets() throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.answering((r, c) -> c.send(Responses.ok("must not happen")));
                Running gateway = Setup.to(origin.address()).start();
                RawClient client = gateway.client()) {
            client.send(ask("TRACE", "/a?b", "0"));
            RawMessage response = client.readResponse();
            assertThat(response.status()).isEqualTo(200);
            assertThat(response.value("content-type")).contains("message/http");
            assertThat(response.body())
                    .startsWith("TRACE /a?b HTTP/1.1\r\nHost: a\r\n")
                    .contains("X: y");
            assertThat(response.body().toLowerCase(java.util.Locale.ROOT)).doesNotContain("secret", "cookie");
            assertThat(origin.requestsSeen()).isZero();
        }
    }
}
