package dev.lychgate.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.lychgate.config.CertificateConfig;
import dev.lychgate.config.TlsConfig;
import dev.lychgate.config.TlsProvider;
import dev.lychgate.testing.Certificates;
import dev.lychgate.testing.OpenSslClient;
import dev.lychgate.testing.WithEachTlsProvider;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.handler.ssl.OpenSslContextOption;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import io.netty.util.ReferenceCountUtil;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The key exchange groups of listeners, with a client of BoringSSL that supports one group each time. */
@Tag("slow")
class GroupsTest extends WithEachTlsProvider {
    private static final Certificates CA = Certificates.authority("Test Authority");

    @BeforeEach
    void theClientIsThere() {
        assumeTrue(TlsEngines.hasNative(), "BoringSSL has no native library here");
    }

    private boolean agrees(String version, String group) throws Exception {
        // Of RSA: with TLS 1.2, a key of a curve demands that curve among the client's groups.
        return agrees(Certificates.pem(directory, "site", CA.issueRsa("a.test")), version, group);
    }

    private boolean agrees(CertificateConfig certificate, String version, String group) throws Exception {
        TlsConfig config = TlsConfig.of(certificate).withProvider(provider);
        ServerTls tls = ServerTls.build(
                "main", config, List.of("http/1.1"), "listeners[0].tls", new TlsFiles(), Instant.now(), null);
        SslContext context = SslContextBuilder.forClient()
                .sslProvider(SslProvider.OPENSSL_REFCNT)
                .trustManager(InsecureTrustManagerFactory.INSTANCE)
                .endpointIdentificationAlgorithm(null)
                .protocols(version)
                .option(OpenSslContextOption.GROUPS, new String[] {group})
                .build();
        try {
            return EmbeddedHandshake.succeeds(
                    context.newHandler(UnpooledByteBufAllocator.DEFAULT),
                    tls.site(null).newHandler(UnpooledByteBufAllocator.DEFAULT));
        } finally {
            ReferenceCountUtil.release(context);
        }
    }

    @Test
    void negotiatesCommonGroups() throws Exception {
        for (String version : List.of("TLSv1.3", "TLSv1.2")) {
            for (String group : List.of("x25519", "secp256r1", "secp384r1")) {
                assertThat(agrees(version, group))
                        .as("%s with %s", version, group)
                        .isTrue();
            }
        }
    }

    @Test
    void refusesOtherGroups() throws Exception {
        assumeTrue(
                provider != TlsProvider.JDK || Runtime.version().feature() >= 20,
                "the JDK's groups can't be chosen before JDK 20");
        assertThat(agrees("TLSv1.3", "secp521r1")).isFalse();
        assertThat(agrees("TLSv1.2", "secp521r1")).isFalse();
    }

    @Test
    void negotiatesAPostQuantumGroup() throws Exception {
        assumeTrue(provider == TlsProvider.OPENSSL, "the JDK has none up to version 26");
        assertThat(agrees("TLSv1.3", "X25519MLKEM768")).isTrue();
    }

    @Test
    void keysOfALargerCurveGoWithTheirGroup() throws Exception {
        assumeTrue(provider == TlsProvider.OPENSSL, "BoringSSL's client refuses such a key of the JDK");
        assumeTrue(OpenSslClient.isThere(), "there is no openssl on this machine");
        String chain = directory.resolve("large.pem").toString();
        String key = directory.resolve("large.key").toString();
        List<String> command = new ArrayList<>(List.of("openssl", "req", "-x509", "-nodes", "-newkey", "ec"));
        command.addAll(List.of("-pkeyopt", "ec_paramgen_curve:P-521", "-subj", "/CN=a.test"));
        command.addAll(List.of("-addext", "subjectAltName=DNS:a.test", "-keyout", key, "-out", chain));
        assertThat(new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(directory.resolve("openssl.log").toFile())
                        .start()
                        .waitFor())
                .isZero();
        assertThat(agrees(CertificateConfig.pem(chain, key), "TLSv1.2", "secp521r1"))
                .isTrue();
    }
}
