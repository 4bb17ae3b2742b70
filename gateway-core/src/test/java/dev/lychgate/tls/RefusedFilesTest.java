package dev.lychgate.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.lychgate.config.CertificateConfig;
import dev.lychgate.config.ClientAuth;
import dev.lychgate.config.ConfigException;
import dev.lychgate.config.TlsConfig;
import dev.lychgate.config.TlsProvider;
import dev.lychgate.testing.Certificates;
import dev.lychgate.testing.OpenSslClient;
import io.netty.pkitesting.X509Bundle;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Faults of certificates and keys are reported before any connection, with the file. */
@Tag("slow")
class RefusedFilesTest {
    private static final Certificates CA = Certificates.authority("Test Authority");
    private static final X509Bundle SITE = CA.issue("site.test");

    @TempDir
    @SuppressWarnings("NullAway.Init") // by JUnit
    Path directory;

    private static ServerTls build(TlsConfig config) {
        return ServerTls.build(
                "main", config, List.of("http/1.1"), "listeners[0].tls", new TlsFiles(), Instant.now(), null);
    }

    private static ServerTls build(CertificateConfig certificate) {
        return build(TlsConfig.of(certificate).withProvider(TlsProvider.JDK));
    }

    private static void refuses(CertificateConfig certificate, String key, String why) {
        assertThatThrownBy(() -> build(certificate))
                .isInstanceOf(ConfigException.class)
                .hasMessageStartingWith("listeners[0].tls.certificates[0]." + key + ": ")
                .hasMessageContaining(why);
    }

    private String file(String name, String text) {
        return Certificates.write(directory.resolve(name), text);
    }

    private CertificateConfig pem(String chain, String key) {
        return CertificateConfig.pem(file("site.pem", chain), file("site.key", key));
    }

    @Test
    void refusesAKeyThatDoesNotMatch() {
        refuses(
                pem(SITE.getCertificatePathPEM(), CA.issue("other.test").getPrivateKeyPEM()),
                "key",
                "site.key: does not match the certificate in");
        refuses(
                pem(SITE.getCertificatePathPEM(), CA.issueRsa("other.test").getPrivateKeyPEM()),
                "key",
                "site.key: does not match the certificate in");
    }

    @Test
    void refusesACertificateOutsideItsValidity() {
        X509Bundle old = CA.expired("site.test");
        refuses(pem(old.getCertificatePathPEM(), old.getPrivateKeyPEM()), "chain", "site.pem: expired on");
        Instant now = Instant.now();
        X509Bundle early = CA.issue(now.plus(Duration.ofDays(1)), now.plus(Duration.ofDays(2)), "site.test");
        refuses(pem(early.getCertificatePathPEM(), early.getPrivateKeyPEM()), "chain", "site.pem: not valid before");
    }

    @Test
    void refusesFilesThatCannotBeRead() throws Exception {
        String there = file("site.pem", SITE.getCertificatePathPEM());
        String key = file("site.key", SITE.getPrivateKeyPEM());
        refuses(CertificateConfig.pem(there + "x", key), "chain", "site.pemx: there is no such file");
        refuses(CertificateConfig.pem(there, key + "x"), "key", "site.keyx: there is no such file");
        String pipe = directory.resolve("pipe").toString();
        new ProcessBuilder("mkfifo", pipe).start().waitFor();
        refuses(CertificateConfig.pem(there, pipe), "key", "pipe: is not a regular file");
        refuses(CertificateConfig.pem(directory.toString(), key), "chain", "can't be read");
        refuses(
                CertificateConfig.store(directory.resolve("no.p12").toString(), "x"),
                "pkcs12",
                "no.p12: there is no such");
        Files.writeString(directory.resolve("bad.p12"), "nonsense");
        refuses(
                CertificateConfig.store(directory.resolve("bad.p12").toString(), "x"),
                "pkcs12",
                "bad.p12: is not a PKCS#12");
    }

    @Test
    void refusesFilesWithOtherContent() {
        String key = SITE.getPrivateKeyPEM();
        refuses(pem("", key), "chain", "site.pem: contains nothing in PEM");
        refuses(pem("garbage", key), "chain", "site.pem: contains nothing in PEM");
        refuses(pem(key, key), "chain", "site.pem: contains no certificate, only blocks of this type: PRIVATE KEY");
        refuses(
                pem("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n", key),
                "chain",
                "site.pem: contains a malformed certificate");
        String chain = SITE.getCertificatePathPEM();
        refuses(pem(chain, chain), "key", "site.key: contains no private key, only blocks of this type: CERTIFICATE");
        refuses(pem(chain, key + key), "key", "site.key: contains 2 private keys");
        refuses(
                pem(chain, "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"),
                "key",
                "site.key: contains a private key that is malformed");
        refuses(
                pem(chain, "-----BEGIN EC PRIVATE KEY-----\nMAMCAQA=\n-----END EC PRIVATE KEY-----\n"),
                "key",
                "site.key: contains a malformed private key");
    }

    @Test
    void refusesTruncatedFiles() {
        String chain = SITE.getCertificatePathPEM();
        String key = SITE.getPrivateKeyPEM();
        refuses(
                pem(chain.substring(0, chain.length() - 40), key),
                "chain",
                "is truncated: missing the end of its CERT");
        refuses(pem(chain, key.substring(0, key.length() - 40)), "key", "is truncated: missing the end of its PRIVATE");
    }

    @Test
    void refusesAChainInTheWrongOrder() {
        String root = CA.root().getCertificatePEM();
        refuses(
                pem(root + SITE.getCertificatePEM(), SITE.getPrivateKeyPEM()),
                "key",
                "the certificate of this key is not the first one in");
        refuses(
                pem(SITE.getCertificatePEM() + CA.issue("stray.test").getCertificatePEM(), SITE.getPrivateKeyPEM()),
                "chain",
                "certificate 2 of the chain: is not the issuer of the certificate that precedes it");
    }

    @Test
    void refusesEncryptedKeysWithoutTheirPassword() throws Exception {
        assumeTrue(OpenSslClient.isThere(), "there is no openssl on this machine");
        String chain = file("site.pem", SITE.getCertificatePathPEM());
        String key = file("site.key", encrypted("right"));
        refuses(CertificateConfig.pem(chain, key), "key", "site.key: is encrypted, and no password is configured");
        refuses(new CertificateConfig(chain, key, null, "wrong", null), "key", "site.key: can't be decrypted");
        assertThat(build(new CertificateConfig(chain, key, null, "right", null)).sites())
                .hasSize(1);

        CertificateConfig store = Certificates.store(directory, "site", SITE, "right");
        String p12 = String.valueOf(store.pkcs12());
        refuses(CertificateConfig.store(p12, "wrong"), "pkcs12", "site.p12: the password is wrong");
        assertThat(build(store).sites()).hasSize(1);
    }

    private String encrypted(String password) throws Exception {
        Process openssl = new ProcessBuilder(
                        "openssl",
                        "pkcs8",
                        "-topk8",
                        "-in",
                        file("plain.key", SITE.getPrivateKeyPEM()),
                        "-passout",
                        "pass:" + password)
                .start();
        return new String(openssl.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
    }

    @Test
    void acceptsKeysInOldForms() {
        X509Bundle rsa = CA.issueRsa("rsa.test");
        byte[] pkcs8 = rsa.getKeyPair().getPrivate().getEncoded();
        // The old form follows version and algorithm, as an OCTET STRING of a two-byte length.
        byte[] pkcs1 = Arrays.copyOfRange(pkcs8, 26, pkcs8.length);
        String key = "-----BEGIN RSA PRIVATE KEY-----\n"
                + Base64.getMimeEncoder().encodeToString(pkcs1)
                + "\n-----END RSA PRIVATE KEY-----\n";
        assertThat(build(pem(rsa.getCertificatePathPEM(), key)).sites().get(0).name())
                .isEqualTo("rsa.test");
    }

    @Test
    void refusesCertificatesThatAreNoAuthorities() {
        TlsConfig config = TlsConfig.of(pem(SITE.getCertificatePathPEM(), SITE.getPrivateKeyPEM()))
                .withProvider(TlsProvider.JDK)
                .withClients(ClientAuth.REQUIRED, file("ca.pem", "nothing"), null);
        assertThatThrownBy(() -> build(config))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("listeners[0].tls.client-ca: ")
                .hasMessageContaining("ca.pem: contains nothing in PEM");
    }

    @Test
    void refusesUnknownSuites() {
        TlsConfig usual = TlsConfig.of(pem(SITE.getCertificatePathPEM(), SITE.getPrivateKeyPEM()));
        TlsConfig odd = new TlsConfig(
                usual.certificates(),
                usual.protocols(),
                List.of("TLS_RSA_WITH_NONSENSE"),
                ClientAuth.NONE,
                null,
                null,
                TlsProvider.JDK,
                usual.sessions());
        assertThatThrownBy(() -> build(odd))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("ciphers")
                .hasMessageContaining("TLS_RSA_WITH_NONSENSE");
    }
}
