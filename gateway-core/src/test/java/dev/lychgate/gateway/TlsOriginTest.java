package dev.lychgate.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.config.ActiveHealthConfig;
import dev.lychgate.config.EndpointConfig;
import dev.lychgate.config.HealthConfig;
import dev.lychgate.config.OriginTlsConfig;
import dev.lychgate.config.Percent;
import dev.lychgate.config.UpstreamConfig;
import dev.lychgate.error.ErrorKind;
import dev.lychgate.testing.Certificates;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.RawMessage;
import dev.lychgate.testing.Responses;
import dev.lychgate.testing.ScriptedOrigin;
import dev.lychgate.testing.WithEachTlsProvider;
import io.netty.pkitesting.X509Bundle;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** TLS with origins, by each provider: the trusted ones, and requests to others. */
@ParameterizedClass
@EnumSource(names = {"OPENSSL", "JDK"})
@Tag("slow")
@Tag("each-jdk")
class TlsOriginTest extends WithEachTlsProvider {
    private static final Certificates CA = Certificates.authority("Origin Authority");
    private static final Certificates STRANGER = Certificates.authority("Somebody Else");

    private OriginTlsConfig believing(Certificates authority) {
        return OriginTlsConfig.DEFAULT
                .withCa(authority.writeCa(directory, "ca.pem"))
                .withProvider(provider);
    }

    private static ScriptedOrigin origin(Certificates of, X509Bundle own) {
        return ScriptedOrigin.answering((request, connection) -> connection.send(Responses.ok("hello")))
                .overTls(of.context(own), false);
    }

    private static UpstreamConfig upstream(String host, ScriptedOrigin origin, @Nullable OriginTlsConfig tls) {
        return UpstreamConfig.of("origin", EndpointConfig.parse("https://" + host + ":" + origin.port()))
                .withTls(tls);
    }

    private static Running to(UpstreamConfig upstream) {
        return new Setup().upstream(upstream).start();
    }

    private static RawMessage get(Running gateway) throws Exception {
        try (RawClient client = gateway.client()) {
            return client.get("/");
        }
    }

    private static void refuses(UpstreamConfig upstream, String why) throws Exception {
        try (Running gateway = to(upstream)) {
            RawMessage response = get(gateway);
            assertThat(response.status()).isEqualTo(502);
            assertThat(response.body()).contains("tls-failed").contains(why);
            assertThat(gateway.nextOutcome().error()).isEqualTo(ErrorKind.TLS_FAILED);
        }
    }

    @Test
    void reusesConnectionsToAVerifiedOrigin() throws Exception {
        try (ScriptedOrigin origin = origin(CA, CA.issue("127.0.0.1"));
                Running gateway = to(upstream("127.0.0.1", origin, believing(CA)))) {
            for (int i = 0; i < 3; i++) {
                assertThat(get(gateway).body()).isEqualTo("hello");
            }
            assertThat(origin.connectionsAccepted()).isEqualTo(1);
        }
    }

    @Test
    void sendsTheHostNameAndVerifiesIt() throws Exception {
        try (ScriptedOrigin origin = origin(CA, CA.issue("localhost"));
                Running gateway = to(upstream("localhost", origin, believing(CA)))) {
            assertThat(get(gateway).body()).isEqualTo("hello");
        }
    }

    @Test
    void trustsOnlyTheConfiguredAuthorities() throws Exception {
        try (ScriptedOrigin origin = origin(STRANGER, STRANGER.issue("127.0.0.1"))) {
            refuses(upstream("127.0.0.1", origin, believing(CA)), "not trusted");
            origin.awaitRefusedHandshakes(1);
            assertThat(origin.requestsSeen()).isZero();
        }
    }

    @Test
    void trustsTheAuthoritiesOfTheJdkByDefault() throws Exception {
        try (ScriptedOrigin origin = origin(CA, CA.issue("127.0.0.1"))) {
            refuses(upstream("127.0.0.1", origin, OriginTlsConfig.DEFAULT.withProvider(provider)), "not trusted");
            refuses(upstream("127.0.0.1", origin, null), "not trusted");
        }
    }

    @Test
    void refusesAGoodCertificateThatIsForAnotherHost() throws Exception {
        try (ScriptedOrigin origin = origin(CA, CA.issue("other.test", "10.9.9.9"))) {
            refuses(upstream("127.0.0.1", origin, believing(CA)), "no subjectAltName for its host");
            refuses(upstream("localhost", origin, believing(CA)), "no subjectAltName for its host");
            assertThat(origin.requestsSeen()).isZero();
        }
    }

    @Test
    void ignoresCommonNameOfOriginCertificate() throws Exception {
        try (ScriptedOrigin named = origin(CA, CA.issueTo("localhost"));
                ScriptedOrigin addressed = origin(CA, CA.issueTo("localhost", "127.0.0.1"));
                ScriptedOrigin text = origin(CA, CA.issueTo("127.0.0.1", "localhost"))) {
            refuses(upstream("localhost", named, believing(CA)), "no subjectAltName for its host");
            refuses(upstream("localhost", addressed, believing(CA)), "no subjectAltName for its host");
            refuses(upstream("127.0.0.1", text, believing(CA)), "no subjectAltName for its host");
            refuses(
                    upstream("127.0.0.1", named, believing(CA).withServerName("localhost")),
                    "no subjectAltName for its host");
            named.awaitRefusedHandshakes(2);
            assertThat(named.requestsSeen()).isZero();
        }
    }

    @Test
    void refusesDnsNameThatIsTheTextOfTheOriginsAddress() throws Exception {
        try (ScriptedOrigin origin = origin(CA, CA.issue("*.origin.test", "127.0.0.1"))) {
            refuses(upstream("127.0.0.1", origin, believing(CA)), "no subjectAltName for its host");
        }
    }

    @Test
    void refusesACertificateOutsideItsValidity() throws Exception {
        Instant now = Instant.now();
        try (ScriptedOrigin old = origin(CA, CA.expired("127.0.0.1"));
                ScriptedOrigin early =
                        origin(CA, CA.issue(now.plus(Duration.ofDays(1)), now.plus(Duration.ofDays(2)), "127.0.0.1"))) {
            refuses(upstream("127.0.0.1", old, believing(CA)), "expired");
            refuses(upstream("127.0.0.1", early, believing(CA)), "not valid yet");
        }
    }

    @Test
    void verifiesTheConfiguredName() throws Exception {
        try (ScriptedOrigin origin = origin(CA, CA.issue("internal.test"))) {
            try (Running gateway =
                    to(upstream("127.0.0.1", origin, believing(CA).withServerName("internal.test")))) {
                assertThat(get(gateway).body()).isEqualTo("hello");
            }
            refuses(
                    upstream("127.0.0.1", origin, believing(CA).withServerName("wrong.test")),
                    "no subjectAltName for its host");
        }
    }

    @Test
    void acceptsAnyCertificateIfConfigured() throws Exception {
        OriginTlsConfig careless = OriginTlsConfig.DEFAULT.unverified().withProvider(provider);
        try (ScriptedOrigin origin = origin(STRANGER, STRANGER.expired("other.test"));
                Running gateway = to(upstream("127.0.0.1", origin, careless))) {
            assertThat(get(gateway).body()).isEqualTo("hello");
        }
    }

    @Test
    void presentsItsCertificateOnRequest() throws Exception {
        OriginTlsConfig own =
                believing(CA).withCertificate(Certificates.pem(directory, "own", CA.issue("gateway.test")));
        try (ScriptedOrigin origin =
                origin(CA, CA.issue("127.0.0.1")).overTls(CA.context(CA.issue("127.0.0.1")), true)) {
            try (Running gateway = to(upstream("127.0.0.1", origin, own))) {
                assertThat(get(gateway).body()).isEqualTo("hello");
            }
            try (Running gateway = to(upstream("127.0.0.1", origin, believing(CA)))) {
                // In TLS 1.3 the refusal arrives after the end of the handshake at the gateway.
                assertThat(get(gateway).status()).isEqualTo(502);
            }
            origin.awaitRefusedHandshakes(1);
        }
    }

    @Test
    void neverSendsPlainHttpToAnOriginWithoutTls() throws Exception {
        try (ScriptedOrigin origin =
                ScriptedOrigin.start().onConnection(c -> c.send("HTTP/1.1 400 Bad Request\r\n\r\n"))) {
            refuses(upstream("127.0.0.1", origin, believing(CA)), "does not use TLS");
        }
    }

    @Test
    void anOriginThatIsSilentInTheHandshakeIsAConnectTimeout() throws Exception {
        UpstreamConfig slow;
        try (ScriptedOrigin origin = ScriptedOrigin.start().onConnection(c -> c.awaitEnd())) {
            slow = upstream("127.0.0.1", origin, believing(CA));
            Setup hasty = new Setup()
                    .timeouts(Setup.waiting(
                            Duration.ofSeconds(5),
                            Duration.ofMillis(300),
                            Duration.ofSeconds(5),
                            Duration.ofSeconds(5),
                            Duration.ofSeconds(5)))
                    .upstream(slow);
            try (Running gateway = hasty.start()) {
                RawMessage response = get(gateway);
                assertThat(response.status()).isEqualTo(504);
                assertThat(response.body()).contains("connect-timeout");
            }
        }
    }

    @Test
    void aResponseThatEndsWithTheConnectionIsCompleteOnlyWithACloseNotify() throws Exception {
        String head = "HTTP/1.1 200 OK\r\n\r\n";
        try (ScriptedOrigin origin = ScriptedOrigin.start()
                        .overTls(CA.context(CA.issue("127.0.0.1")), false)
                        .onNextConnection(c -> {
                            c.readRequest();
                            c.send(head + "whole");
                        })
                        .onNextConnection(c -> {
                            c.readRequest();
                            c.send(head + "ha").tear();
                        });
                Running gateway = to(upstream("127.0.0.1", origin, believing(CA)))) {
            assertThat(get(gateway).body()).isEqualTo("whole");
            assertThat(gateway.nextOutcome().error()).isNull();
            try (RawClient client = gateway.client()) {
                client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
                assertThat(new String(client.readUntilClose(), java.nio.charset.StandardCharsets.US_ASCII))
                        .doesNotEndWith("0\r\n\r\n");
            }
            assertThat(gateway.nextOutcome().error()).isEqualTo(ErrorKind.ORIGIN_RESET);
        }
    }

    @Test
    void healthChecksUseTlsToo() throws Exception {
        // The end of the gateway cuts a check in progress.
        try (ScriptedOrigin good = ScriptedOrigin.answeringWhoStays(
                                (request, connection) -> connection.send(Responses.ok("hello")))
                        .overTls(CA.context(CA.issue("127.0.0.1")), false);
                ScriptedOrigin bad = origin(STRANGER, STRANGER.issue("127.0.0.1"))) {
            UpstreamConfig both = new UpstreamConfig(
                            "origin",
                            List.of(
                                    EndpointConfig.parse("https://127.0.0.1:" + good.port()),
                                    EndpointConfig.parse("https://127.0.0.1:" + bad.port())),
                            dev.lychgate.config.PoolConfig.DEFAULT,
                            dev.lychgate.config.RouteTimeouts.UNSET)
                    .withTls(believing(CA))
                    .withHealth(new HealthConfig(health(), null));
            try (Running gateway = to(both)) {
                good.awaitRequests(1);
                bad.awaitRefusedHandshakes(1);
                dev.lychgate.testing.Eventually.eventually(() -> {
                    for (int i = 0; i < 4; i++) {
                        assertThat(get(gateway).status()).isEqualTo(200);
                    }
                });
                assertThat(bad.requestsSeen()).isZero();
            }
        }
    }

    private static ActiveHealthConfig health() {
        return new ActiveHealthConfig(
                "/health",
                null,
                0,
                Duration.ofMillis(200),
                new Percent(10),
                Duration.ofSeconds(2),
                2,
                1,
                Set.of(),
                null);
    }
}
