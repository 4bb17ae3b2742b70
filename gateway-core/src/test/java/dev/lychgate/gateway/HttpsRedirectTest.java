package dev.lychgate.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.RawMessage;
import dev.lychgate.testing.Responses;
import dev.lychgate.testing.ScriptedOrigin;
import org.junit.jupiter.api.Test;

/** A listener that redirects all clients to HTTPS. */
class HttpsRedirectTest {
    private static RawMessage ask(Running gateway, String request) throws Exception {
        try (RawClient client = gateway.client()) {
            return client.send(request).readResponse();
        }
    }

    @Test
    void redirectsAllClientsToTheSameUrlWithHttps() throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.start();
                Running gateway = Setup.to(origin.address()).redirectingTo(443).start()) {
            RawMessage response = ask(gateway, "GET /a%20b?c=%20d HTTP/1.1\r\nHost: site.test:8080\r\n\r\n");
            assertThat(response.status()).isEqualTo(308);
            assertThat(response.value("location")).contains("https://site.test/a%20b?c=%20d");
            assertThat(ask(gateway, "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\nx")
                            .status())
                    .isEqualTo(308);
        }
    }

    @Test
    void namesThePortIfItIsAnother() throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.start();
                Running gateway = Setup.to(origin.address()).redirectingTo(8443).start()) {
            assertThat(ask(gateway, "GET / HTTP/1.1\r\nHost: site.test\r\n\r\n").value("location"))
                    .contains("https://site.test:8443/");
        }
    }

    @Test
    void doesNotRedirectMalformedHostsOrPaths() throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.start();
                Running gateway = Setup.to(origin.address()).redirectingTo(443).start()) {
            assertThat(ask(gateway, "GET / HTTP/1.0\r\n\r\n").status()).isEqualTo(400);
            assertThat(ask(gateway, "GET //evil.test/ HTTP/1.1\r\nHost: site.test\r\n\r\n")
                            .value("location"))
                    .hasValueSatisfying(location -> assertThat(location).startsWith("https://site.test/"));
        }
    }

    @Test
    void challengesOfAuthoritiesAreRoutedNormally() throws Exception {
        try (ScriptedOrigin origin =
                        ScriptedOrigin.answering((request, connection) -> connection.send(Responses.ok("token")));
                Running gateway = Setup.to(origin.address()).redirectingTo(443).start()) {
            String challenge = "GET /.well-known/acme-challenge/";
            assertThat(ask(gateway, challenge + "x HTTP/1.1\r\nHost: a\r\n\r\n").body())
                    .isEqualTo("token");
            assertThat(ask(gateway, challenge + "../x HTTP/1.1\r\nHost: a\r\n\r\n")
                            .status())
                    .isEqualTo(308);
        }
    }
}
