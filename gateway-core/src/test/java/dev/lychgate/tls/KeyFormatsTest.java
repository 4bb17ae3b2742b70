package dev.lychgate.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.lychgate.config.CertificateConfig;
import dev.lychgate.config.ConfigException;
import dev.lychgate.config.TlsConfig;
import dev.lychgate.config.TlsProvider;
import dev.lychgate.testing.WithEachTlsProvider;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslProvider;
import java.io.File;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/** The formats of keys, certificates and stores, in files that openssl and keytool have made: each serves a handshake. */
@Tag("slow")
@Tag("each-jdk")
class KeyFormatsTest extends WithEachTlsProvider {
    private static final String PASSWORD = "changeit";

    private static String material(String name) {
        try {
            return Path.of(Objects.requireNonNull(KeyFormatsTest.class.getResource("material/" + name), name)
                            .toURI())
                    .toString();
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException(name, e);
        }
    }

    private static CertificateConfig pem(String chain, String key) {
        return CertificateConfig.pem(material(chain), material(key));
    }

    private static CertificateConfig encrypted(String chain, String key, String password) {
        return new CertificateConfig(material(chain), material(key), null, password, null);
    }

    private static CertificateConfig store(String file, @Nullable String password) {
        return new CertificateConfig(null, null, material(file), password, null);
    }

    private ServerTls build(CertificateConfig certificate) {
        TlsConfig config = TlsConfig.of(certificate).withProvider(provider);
        return ServerTls.build(
                "main", config, List.of("http/1.1"), "listeners[0].tls", new TlsFiles(), Instant.now(), null);
    }

    private DynamicTest serves(String what, CertificateConfig certificate) {
        return dynamicTest(what, () -> {
            ServerTls tls = build(certificate);
            for (String version : List.of("TLSv1.3", "TLSv1.2")) {
                SslContext context = SslContextBuilder.forClient()
                        .sslProvider(SslProvider.JDK)
                        .trustManager(trusted(certificate))
                        .protocols(version)
                        .build();
                SslHandler client = context.newHandler(UnpooledByteBufAllocator.DEFAULT, "site.test", 443);
                assertThat(EmbeddedHandshake.succeeds(
                                client, tls.site("site.test").newHandler(UnpooledByteBufAllocator.DEFAULT)))
                        .as(version)
                        .isTrue();
                X509Certificate shown =
                        (X509Certificate) client.engine().getSession().getPeerCertificates()[0];
                assertThat(shown.getSubjectX500Principal().getName()).isEqualTo("CN=site.test");
            }
        });
    }

    /** The authority of the material; for a store of keytool with a self-signed certificate, that certificate. */
    private File trusted(CertificateConfig certificate) {
        String store = String.valueOf(certificate.pkcs12());
        return new File(store.contains("keytool") ? store.replace(".p12", ".pem") : material("ca.pem"));
    }

    private DynamicTest refuses(String what, CertificateConfig certificate, String key, String why) {
        return dynamicTest(
                what,
                () -> assertThatThrownBy(() -> build(certificate))
                        .isInstanceOf(ConfigException.class)
                        .hasMessageStartingWith("listeners[0].tls.certificates[0]." + key + ": ")
                        .hasMessageContaining(why));
    }

    @TestFactory
    Stream<DynamicTest> loadsRsaKeys() {
        return Stream.of(
                serves("PKCS#8 of openssl 3", pem("rsa-2048.pem", "rsa-2048.pkcs8.key")),
                serves("PKCS#1 of openssl 1.1", pem("rsa-2048.pem", "rsa-2048.pkcs1.key")),
                serves("PKCS#1, 3072 bits", pem("rsa-3072.pem", "rsa-3072.pkcs1.key")),
                serves("PKCS#1, 4096 bits", pem("rsa-4096.pem", "rsa-4096.pkcs1.key")),
                serves("encrypted PKCS#8", encrypted("rsa-2048.pem", "rsa-2048.pbes2.key", PASSWORD)));
    }

    @TestFactory
    Stream<DynamicTest> loadsEcKeys() {
        return Stream.of(
                serves("SEC 1, P-256", pem("p-256.pem", "p-256.sec1.key")),
                serves("SEC 1, P-384", pem("p-384.pem", "p-384.sec1.key")),
                serves("SEC 1, P-521", pem("p-521.pem", "p-521.sec1.key")),
                serves("SEC 1 behind its parameters", pem("p-256-parameters.pem", "p-256-parameters.sec1.key")),
                serves("SEC 1 without the public key", pem("p-256.pem", "p-256-no-public.sec1.key")),
                serves("PKCS#8, P-256", pem("p-256.pem", "p-256.pkcs8.key")),
                serves("PKCS#8, P-384", pem("p-384.pem", "p-384.pkcs8.key")),
                serves("PKCS#8, P-521", pem("p-521.pem", "p-521.pkcs8.key")));
    }

    @TestFactory
    Stream<DynamicTest> decryptsPkcs8() {
        return Stream.of("pbes2", "pbes2-aes128", "pbes2-sha1", "pbes2-sha512", "pbe-sha1-3des")
                .map(name -> serves(name, encrypted("p-256.pem", "p-256." + name + ".key", PASSWORD)));
    }

    @TestFactory
    Stream<DynamicTest> refusesOtherEncryptions() {
        String conversion = "openssl pkcs8 -topk8";
        return Stream.of(
                refuses(
                        "triple DES by PBES2",
                        encrypted("p-256.pem", "p-256.pbes2-3des.key", PASSWORD),
                        "key",
                        "the encryption is unknown"),
                refuses(
                        "scrypt",
                        encrypted("p-256.pem", "p-256.scrypt.key", PASSWORD),
                        "key",
                        "the encryption is unknown"),
                refuses(
                        "RSA in its old form",
                        encrypted("rsa-2048.pem", "rsa-2048.old-encryption.key", PASSWORD),
                        "key",
                        conversion),
                refuses(
                        "EC in its old form",
                        encrypted("p-256.pem", "p-256.old-encryption.key", PASSWORD),
                        "key",
                        conversion));
    }

    @TestFactory
    Stream<DynamicTest> refusesOtherKindsOfKeysByName() {
        return Stream.of(
                refuses("RSA-PSS", pem("rsa-2048.pem", "rsa-pss.key"), "key", "RSASSA-PSS"),
                refuses("DSA", pem("rsa-2048.pem", "dsa.key"), "key", "DSA"),
                refuses("secp256k1", pem("p-256.pem", "secp256k1.sec1.key"), "key", "curve"),
                refuses("explicit parameters", pem("p-256.pem", "p-256-explicit.sec1.key"), "key", "curve"),
                refuses("explicit parameters in PKCS#8", pem("p-256.pem", "p-256-explicit.pkcs8.key"), "key", "curve"));
    }

    @TestFactory
    Stream<DynamicTest> servesEdwardsCurvesByTheJdkAlone() {
        CertificateConfig pem = pem("ed25519.pem", "ed25519.key");
        CertificateConfig store = store("ed25519.keytool.p12", PASSWORD);
        CertificateConfig larger = pem("ed448.pem", "ed448.key");
        return provider == TlsProvider.JDK
                ? Stream.of(serves("Ed25519", pem), serves("Ed25519 in a store", store), serves("Ed448", larger))
                : Stream.of(
                        refuses("Ed25519", pem, "key", "of the kind Ed25519, but BoringSSL supports only RSA and EC"),
                        refuses("Ed25519 in a store", store, "pkcs12", "a key of the kind Ed25519"),
                        refuses("Ed448", larger, "key", "a key of the kind Ed448"));
    }

    @TestFactory
    Stream<DynamicTest> readsTheLayoutsThatToolsWrite() {
        return Stream.of(
                serves("key and certificates in one file", pem("p-256.together.pem", "p-256.together.pem")),
                serves("text before the blocks", pem("p-256.text.pem", "p-256.sec1.key")),
                serves("attributes of openssl pkcs12", pem("rsa-2048.bag.pem", "rsa-2048.bag.key")),
                serves("line ends of Windows", pem("p-256.crlf.pem", "p-256.crlf.key")));
    }

    @TestFactory
    Stream<DynamicTest> refusesOtherLayoutsByName() {
        return Stream.of(
                refuses("DER", pem("p-256.der", "p-256.sec1.key"), "chain", "DER"),
                refuses("DER key", pem("p-256.pem", "p-256.der"), "key", "DER"),
                refuses(
                        "trusted certificate",
                        pem("p-256.trusted.pem", "p-256.sec1.key"),
                        "chain",
                        "TRUSTED CERTIFICATE"),
                refuses("two keys in a store", store("two-keys.p12", PASSWORD), "pkcs12", "more than one private key"),
                refuses("PKCS#12 as PEM", pem("p-256.openssl3.p12", "p-256.sec1.key"), "chain", "DER"));
    }

    @TestFactory
    Stream<DynamicTest> opensPkcs12Stores() {
        return Stream.of(
                serves("openssl 3, EC", store("p-256.openssl3.p12", PASSWORD)),
                serves("openssl 3, RSA", store("rsa-2048.openssl3.p12", PASSWORD)),
                serves("openssl 1.1: RC2-40 and triple DES", store("rsa-2048.openssl1.p12", PASSWORD)),
                serves("openssl 3, an empty password", store("p-256.empty-password.p12", "")),
                serves("openssl 3, an empty password that is left out", store("p-256.empty-password.p12", null)),
                serves("keytool of JDK 17", store("p-384.keytool.p12", PASSWORD)),
                serves("keytool of JDK 8", store("rsa-2048.keytool8.p12", PASSWORD)));
    }
}
