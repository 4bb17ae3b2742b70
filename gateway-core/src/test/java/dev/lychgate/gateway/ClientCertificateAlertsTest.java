package dev.lychgate.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.lychgate.config.ClientAuth;
import dev.lychgate.config.TlsConfig;
import dev.lychgate.config.TlsProvider;
import dev.lychgate.testing.Certificates;
import dev.lychgate.testing.Rfc;
import dev.lychgate.testing.TlsClient;
import dev.lychgate.testing.WithEachTlsProvider;
import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedKeyManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The alerts that clients receive for the certificates that they show, or do not show, by each provider. */
@Tag("slow")
class ClientCertificateAlertsTest extends WithEachTlsProvider {
    private static final Certificates CA = Certificates.authority("Test Authority");
    /** An authority with the same name and another key: its certificates name the authority without its signature. */
    private static final Certificates FORGER = Certificates.authority("Test Authority");

    private static final Certificates STRANGER = Certificates.authority("Somebody Else");

    /** Returns the alert by which the listener ends the handshake. */
    private String alertFor(@Nullable X509Bundle own, String version) throws Exception {
        TlsConfig tls = TlsConfig.of(Certificates.pem(directory, "site", CA.issue("lychgate.test")))
                .withProvider(provider)
                .withClients(ClientAuth.REQUIRED, CA.writeCa(directory, "ca.pem"), "Client-Cert");
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(new Shows[] {new Shows(own)}, new TrustManager[] {new TrustsAll()}, new SecureRandom());
        try (Running gateway = new Setup().tls(tls).start()) {
            Throwable failure = catchThrowable(() -> {
                try (TlsClient client =
                        TlsClient.connect(gateway.gateway().address("main"), context, "lychgate.test", version)) {
                    // In TLS 1.3 the client has finished before the server checks its certificate.
                    client.raw().readHead();
                }
            });
            assertThat(failure).isInstanceOf(SSLException.class).hasMessageContaining("fatal alert: ");
            String message = String.valueOf(failure.getMessage());
            return message.substring(message.lastIndexOf(' ') + 1);
        }
    }

    private String alert(String openSsl, String jdk) {
        return provider == TlsProvider.OPENSSL ? openSsl : jdk;
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    @Rfc("8446, 6.2")
    void aCertificateOfAnUnknownAuthority(String version) throws Exception {
        assertThat(alertFor(STRANGER.issue("foreign.test"), version))
                .isEqualTo(alert("unknown_ca", "certificate_unknown"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    @Rfc("8446, 6.2")
    void aCertificateWithASignatureOfSomebodyElse(String version) throws Exception {
        assertThat(alertFor(FORGER.issue("forged.test"), version))
                .isEqualTo(alert("bad_certificate", "certificate_unknown"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    @Rfc("8446, 6.2")
    void anExpiredCertificate(String version) throws Exception {
        assertThat(alertFor(CA.expired("late.test"), version))
                .isEqualTo(alert("certificate_expired", "certificate_unknown"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    @Rfc("8446, 6.2")
    void aCertificateThatIsNotValidYet(String version) throws Exception {
        Instant now = Instant.now();
        X509Bundle early = CA.issue(now.plus(Duration.ofDays(1)), now.plus(Duration.ofDays(9)), "early.test");
        assertThat(alertFor(early, version)).isEqualTo(alert("certificate_expired", "certificate_unknown"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    @Rfc("8446, 6.2")
    void aCertificateForAnotherPurpose(String version) throws Exception {
        X509Bundle server = new CertificateBuilder()
                .subject("CN=server.test")
                .addExtendedKeyUsageServerAuth()
                .ecp256()
                .buildIssuedBy(CA.root());
        assertThat(alertFor(server, version)).isEqualTo(alert("unsupported_certificate", "certificate_unknown"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    @Rfc("8446, 6.2")
    void noCertificate(String version) throws Exception {
        String ofVersion = version.equals("TLSv1.3") ? "certificate_required" : "handshake_failure";
        String ofJdk = Runtime.version().feature() == 17 ? "bad_certificate" : ofVersion;
        assertThat(alertFor(null, version)).isEqualTo(alert(ofVersion, ofJdk));
    }

    /** Presents a certificate regardless of the authorities that the server names; the JDK's key manager would present none. */
    private static final class Shows extends X509ExtendedKeyManager {
        private final @Nullable X509Bundle own;

        Shows(@Nullable X509Bundle own) {
            this.own = own;
        }

        @Override
        public String @Nullable [] getClientAliases(String keyType, Principal[] issuers) {
            return own == null ? null : new String[] {"own"};
        }

        @Override
        public @Nullable String chooseClientAlias(String[] keyType, Principal[] issuers, Socket socket) {
            return own == null ? null : "own";
        }

        @Override
        public @Nullable String chooseEngineClientAlias(String[] keyType, Principal[] issuers, SSLEngine engine) {
            return own == null ? null : "own";
        }

        @Override
        public String @Nullable [] getServerAliases(String keyType, Principal[] issuers) {
            return null;
        }

        @Override
        public @Nullable String chooseServerAlias(String keyType, Principal[] issuers, Socket socket) {
            return null;
        }

        @Override
        public X509Certificate @Nullable [] getCertificateChain(String alias) {
            return own == null ? null : new X509Certificate[] {own.getCertificate()};
        }

        @Override
        public @Nullable PrivateKey getPrivateKey(String alias) {
            return own == null ? null : own.getKeyPair().getPrivate();
        }
    }

    private static final class TrustsAll extends X509ExtendedTrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String authType, Socket socket) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String authType, Socket socket) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String authType, SSLEngine engine) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String authType, SSLEngine engine) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String authType) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String authType) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
