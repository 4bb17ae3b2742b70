package dev.lychgate.gateway;

import static dev.lychgate.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.lychgate.chain.FilterSet;
import dev.lychgate.config.ClientAuth;
import dev.lychgate.config.GatewayConfig;
import dev.lychgate.config.ListenerConfig;
import dev.lychgate.config.TlsConfig;
import dev.lychgate.filter.FilterExchange;
import dev.lychgate.filter.FilterOutcome;
import dev.lychgate.filter.InboundFilter;
import dev.lychgate.filter.SyncFilter;
import dev.lychgate.testing.Certificates;
import dev.lychgate.testing.OpenSslClient;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.RawMessage;
import dev.lychgate.testing.Responses;
import dev.lychgate.testing.ScriptedOrigin;
import dev.lychgate.testing.TlsClient;
import dev.lychgate.testing.TlsTap;
import dev.lychgate.testing.WithEachTlsProvider;
import dev.lychgate.tls.TlsFault;
import dev.lychgate.tls.TlsSession;
import io.netty.pkitesting.X509Bundle;
import java.io.IOException;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients with certificates, by each provider: the accepted ones, and the recipients of their identity. */
@Tag("slow")
@Tag("each-jdk")
class ClientCertificatesTest extends WithEachTlsProvider {
    private static final Certificates CA = Certificates.authority("Test Authority");
    private static final Certificates STRANGER = Certificates.authority("Somebody Else");
    private static final X509Bundle BILLING = CA.issue("billing.test");

    private TlsConfig asking(ClientAuth auth) {
        return TlsConfig.of(Certificates.pem(directory, "site", CA.issue("lychgate.test")))
                .withProvider(provider)
                .withClients(auth, CA.writeCa(directory, "ca.pem"), "Client-Cert");
    }

    private static ScriptedOrigin origin() {
        return ScriptedOrigin.answering((request, connection) -> connection.send(Responses.ok("hello")));
    }

    private static RawMessage get(Running gateway, @Nullable X509Bundle own, String... fields) throws IOException {
        SSLContext client = CA.context(own);
        try (TlsClient connection = TlsClient.connect(gateway.gateway().address("main"), client, "lychgate.test")) {
            return connection
                    .raw()
                    .send("GET / HTTP/1.1\r\nHost: lychgate.test\r\n" + String.join("", fields) + "\r\n")
                    .readResponse();
        }
    }

    private static void isRefused(Running gateway, @Nullable X509Bundle own, TlsFault... faults) throws Exception {
        // With TLS 1.3 a client learns of it only when it reads.
        assertThatThrownBy(() -> get(gateway, own)).isInstanceOf(IOException.class);
        eventually(() -> {
            long counted = 0;
            for (TlsFault fault : faults) {
                counted += gateway.gateway()
                        .listeners()
                        .get(0)
                        .counters()
                        .handshakes()
                        .failed(fault);
            }
            assertThat(counted).isPositive();
        });
    }

    @Test
    void acceptsOnlyClientsWithACertificateIfItIsRequired() throws Exception {
        try (ScriptedOrigin origin = origin();
                Running gateway = Setup.to(origin.address())
                        .tls(asking(ClientAuth.REQUIRED))
                        .start()) {
            assertThat(get(gateway, BILLING).status()).isEqualTo(200);
            isRefused(gateway, null, TlsFault.NO_CERTIFICATE);
            assertThat(origin.requestsSeen()).isEqualTo(1);
        }
    }

    @Test
    void sendsAnAlertToARejectedClient() throws Exception {
        try (ScriptedOrigin origin = origin();
                Running gateway = Setup.to(origin.address())
                        .tls(asking(ClientAuth.REQUIRED))
                        .start();
                TlsTap tap = TlsTap.before(gateway.gateway().address("main"))) {
            // With TLS 1.3 alerts are sealed.
            assertThatThrownBy(() -> TlsClient.connect(tap.address(), CA.context(null), "lychgate.test", "TLSv1.2"))
                    .isInstanceOf(IOException.class);
            assertThat(tap.lastFromTarget()).isEqualTo(TlsTap.ALERT);
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = ClientAuth.class,
            names = {"REQUIRED", "OPTIONAL"})
    void refusesBadCertificatesWhereTheyAreOptionalToo(ClientAuth auth) throws Exception {
        try (ScriptedOrigin origin = origin();
                Running gateway = Setup.to(origin.address()).tls(asking(auth)).start()) {
            isRefused(gateway, CA.expired("late.test"), TlsFault.EXPIRED);
            assertThat(origin.requestsSeen()).isZero();
        }
    }

    @Test
    void refusesCertificatesOfOtherAuthorities() throws Exception {
        assumeTrue(OpenSslClient.isThere(), "there is no openssl on this machine");
        X509Bundle foreign = STRANGER.issue("foreign.test");
        String chain = Certificates.write(directory.resolve("foreign.pem"), foreign.getCertificatePathPEM());
        String key = Certificates.write(directory.resolve("foreign.key"), foreign.getPrivateKeyPEM());
        try (ScriptedOrigin origin = origin();
                Running gateway = Setup.to(origin.address())
                        .tls(asking(ClientAuth.OPTIONAL))
                        .start()) {
            // The JDK's client would present none: the server names the authorities that it trusts.
            new OpenSslClient(gateway.gateway().address("main")).get("lychgate.test", "-cert", chain, "-key", key);
            eventually(() -> assertThat(gateway.gateway()
                            .listeners()
                            .get(0)
                            .counters()
                            .handshakes()
                            .failed(TlsFault.UNTRUSTED))
                    .isEqualTo(1));
            assertThat(origin.requestsSeen()).isZero();
        }
    }

    @Test
    void sendsOriginsTheIdentityAndRemovesTheClientsOwnHeader() throws Exception {
        String forged = "Client-Cert: :Zm9yZ2Vk:\r\nclient_cert: a\r\nCLIENT-Cert_Chain: b\r\nclient-certs: mine\r\n";
        try (ScriptedOrigin origin = origin();
                Running gateway = Setup.to(origin.address())
                        .tls(asking(ClientAuth.OPTIONAL))
                        .start()) {
            get(gateway, BILLING, forged);
            get(gateway, null, forged);

            RawMessage known = origin.requests().get(0);
            String der =
                    Base64.getEncoder().encodeToString(BILLING.getCertificate().getEncoded());
            assertThat(known.values("client-cert")).containsExactly(":" + der + ":");
            RawMessage unknown = origin.requests().get(1);
            assertThat(unknown.has("client-cert")).isFalse();
            for (RawMessage seen : List.of(known, unknown)) {
                assertThat(seen.has("client_cert")).isFalse();
                assertThat(seen.has("client-cert_chain")).isFalse();
                assertThat(seen.values("client-certs")).containsExactly("mine");
            }
        }
    }

    @Test
    void removesTheIdentityHeaderOnOtherListenersToo() throws Exception {
        try (ScriptedOrigin origin = origin()) {
            GatewayConfig config =
                    Setup.to(origin.address()).tls(asking(ClientAuth.REQUIRED)).config();
            ListenerConfig secure = config.listeners().get(0);
            ListenerConfig plain = ListenerConfig.of("plain", secure.address());
            GatewayConfig both = new GatewayConfig(
                    1,
                    config.transport(),
                    config.drain(),
                    List.of(secure, plain),
                    config.routes(),
                    config.upstreams(),
                    null,
                    config.accessLog());
            try (Gateway gateway = Gateway.start(both);
                    RawClient client = RawClient.connect(gateway.address("plain"))) {
                client.send("GET / HTTP/1.1\r\nHost: a\r\nclient_cert: forged\r\nClient-Cert: forged\r\n\r\n")
                        .readResponse();
                assertThat(origin.requests().get(0).has("client-cert")).isFalse();
                assertThat(origin.requests().get(0).has("client_cert")).isFalse();
            }
        }
    }

    @Test
    void providesFiltersWithTheIdentity() throws Exception {
        List<TlsSession> seen = new CopyOnWriteArrayList<>();
        FilterSet filters = FilterSet.of(new Looks(seen));
        try (ScriptedOrigin origin = origin();
                Running gateway = Setup.to(origin.address())
                        .tls(asking(ClientAuth.OPTIONAL))
                        .filters(filters)
                        .start()) {
            get(gateway, BILLING);
            get(gateway, null);
        }
        assertThat(seen).hasSize(2);
        assertThat(seen.get(0).protocol()).isEqualTo("TLSv1.3");
        assertThat(seen.get(0).serverName()).isEqualTo("lychgate.test");
        var certificate = seen.get(0).clientCertificate();
        assertThat(certificate).isNotNull();
        assertThat(certificate.subject()).isEqualTo("CN=billing.test");
        assertThat(certificate.names()).containsExactly("billing.test");
        assertThat(certificate.fingerprint()).hasSize(64);
        assertThat(seen.get(1).clientCertificate()).isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.3", "TLSv1.2"})
    void knowsClientsThatComeBackWithAResumedSession(String protocol) throws Exception {
        SSLContext client = CA.context(BILLING);
        try (ScriptedOrigin origin = origin();
                Running gateway = Setup.to(origin.address())
                        .tls(asking(ClientAuth.REQUIRED))
                        .start()) {
            for (int i = 0; i < 3; i++) {
                try (TlsClient connection =
                        TlsClient.connect(gateway.gateway().address("main"), client, "lychgate.test", protocol)) {
                    assertThat(connection.raw().get("/").status()).isEqualTo(200);
                }
            }
            assertThat(origin.requests()).hasSize(3).allMatch(request -> request.has("client-cert"));
            assertThat(gateway.gateway()
                            .listeners()
                            .get(0)
                            .counters()
                            .handshakes()
                            .done(protocol.equals("TLSv1.3"), true))
                    .isEqualTo(2);
        }
    }

    @Test
    void removingAuthoritiesEndsTheSessionsOfTheirClients() throws Exception {
        SSLContext client = CA.context(BILLING);
        try (ScriptedOrigin origin = origin()) {
            Setup setup = Setup.to(origin.address()).tls(asking(ClientAuth.REQUIRED));
            try (Running gateway = setup.start()) {
                try (TlsClient connection =
                        TlsClient.connect(gateway.gateway().address("main"), client, "lychgate.test")) {
                    assertThat(connection.raw().get("/").status()).isEqualTo(200);
                }
                STRANGER.writeCa(directory, "ca.pem");
                gateway.gateway().apply(setup.config());

                assertThatThrownBy(() -> {
                            try (TlsClient connection =
                                    TlsClient.connect(gateway.gateway().address("main"), client, "lychgate.test")) {
                                connection.raw().get("/");
                            }
                        })
                        .isInstanceOf(IOException.class);
                assertThat(origin.requestsSeen()).isEqualTo(1);
            }
        }
    }

    /** Records the TLS sessions that it receives. */
    private record Looks(List<TlsSession> seen) implements SyncFilter, InboundFilter {
        @Override
        public String name() {
            return "looks";
        }

        @Override
        public FilterOutcome filter(FilterExchange exchange) {
            TlsSession tls = exchange.getTls();
            if (tls != null) {
                seen.add(tls);
            }
            return exchange.proceed();
        }
    }
}
