package dev.lychgate.gateway;

import static dev.lychgate.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.lychgate.config.CertificateConfig;
import dev.lychgate.config.ConfigException;
import dev.lychgate.config.EndpointConfig;
import dev.lychgate.config.OriginTlsConfig;
import dev.lychgate.config.TlsConfig;
import dev.lychgate.config.TlsProvider;
import dev.lychgate.config.UpstreamConfig;
import dev.lychgate.generation.Generation;
import dev.lychgate.testing.Certificates;
import dev.lychgate.testing.Responses;
import dev.lychgate.testing.ScriptedOrigin;
import dev.lychgate.testing.TlsClient;
import dev.lychgate.testing.WithEachTlsProvider;
import dev.lychgate.tls.NativeContextsCount;
import java.io.IOException;
import java.time.Duration;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Certificates that are renewed while the gateway runs. */
@Tag("slow")
@Tag("each-jdk")
class TlsReloadTest extends WithEachTlsProvider {
    private static final Certificates CA = Certificates.authority("Test Authority");
    private static final Certificates OTHER_CA = Certificates.authority("Another Authority");

    private TlsConfig site(String name) {
        return TlsConfig.of(Certificates.pem(directory, "site", CA.issue(name))).withProvider(provider);
    }

    private static ScriptedOrigin origin() {
        return ScriptedOrigin.answering((request, connection) -> connection.send(Responses.ok("hello")));
    }

    private static TlsClient connect(Running gateway) throws IOException {
        return TlsClient.connect(gateway.gateway().address("main"), CA.context(null), "lychgate.test");
    }

    @Test
    void newConnectionsGetTheNewCertificateAndOpenOnesContinue() throws Exception {
        try (ScriptedOrigin origin = origin()) {
            Setup setup = Setup.to(origin.address()).tls(site("old.test"));
            try (Running gateway = setup.start();
                    TlsClient before = connect(gateway)) {
                assertThat(before.raw().get("/").status()).isEqualTo(200);
                site("new.test");
                gateway.gateway().apply(setup.config());

                try (TlsClient after = connect(gateway)) {
                    assertThat(after.raw().get("/").status()).isEqualTo(200);
                    assertThat(after.serverSubject()).isEqualTo("CN=new.test");
                }
                assertThat(before.raw().get("/").status()).isEqualTo(200);
                assertThat(before.serverSubject()).isEqualTo("CN=old.test");
            }
        }
    }

    @Test
    void anInvalidCertificateDoesNotAffectTheRunningGeneration() throws Exception {
        try (ScriptedOrigin origin = origin()) {
            Setup setup = Setup.to(origin.address()).tls(site("old.test"));
            try (Running gateway = setup.start()) {
                Generation running = gateway.gateway().generation();
                Certificates.pem(directory, "site", CA.expired("new.test"));

                assertThatThrownBy(() -> gateway.gateway().apply(setup.config()))
                        .isInstanceOf(ConfigException.class)
                        .hasMessageContaining("site.pem: expired on");
                assertThat(gateway.gateway().generation()).isSameAs(running);
                try (TlsClient client = connect(gateway)) {
                    assertThat(client.raw().get("/").status()).isEqualTo(200);
                    assertThat(client.serverSubject()).isEqualTo("CN=old.test");
                }
            }
        }
    }

    @Test
    void unchangedContextsAreKept() throws Exception {
        try (ScriptedOrigin origin = origin()) {
            Setup setup = Setup.to(origin.address()).tls(site("same.test"));
            try (Running gateway = setup.start()) {
                Generation before = gateway.gateway().generation();
                Generation after = gateway.gateway().apply(setup.config());
                assertThat(after.serverTls("main")).isSameAs(before.serverTls("main"));
            }
        }
    }

    @Test
    void sessionsOutliveARenewal() throws Exception {
        assumeTrue(provider == TlsProvider.OPENSSL, "the JDK's sessions live as long as their certificate");
        SSLContext remembering = CA.context(null);
        try (ScriptedOrigin origin = origin()) {
            Setup setup = Setup.to(origin.address()).tls(site("same.test"));
            try (Running gateway = setup.start()) {
                for (int i = 0; i < 2; i++) {
                    try (TlsClient client =
                            TlsClient.connect(gateway.gateway().address("main"), remembering, "same.test", "TLSv1.3")) {
                        assertThat(client.raw().get("/").status()).isEqualTo(200);
                    }
                    site("same.test");
                    gateway.gateway().apply(setup.config());
                }
                assertThat(gateway.gateway()
                                .listeners()
                                .get(0)
                                .counters()
                                .handshakes()
                                .done(true, true))
                        .isEqualTo(1);
            }
        }
    }

    @Test
    void aListenerStartsAndStopsUsingTlsForNewConnections() throws Exception {
        try (ScriptedOrigin origin = origin()) {
            Setup encrypted = Setup.to(origin.address()).tls(site("a.test"));
            try (Running gateway = encrypted.start();
                    TlsClient kept = TlsClient.connect(
                            gateway.gateway().address("main"), CA.context(null), "a.test", "TLSv1.3")) {
                assertThat(kept.raw().get("/").status()).isEqualTo(200);
                gateway.gateway().apply(Setup.to(origin.address()).config());
                try (var plain = gateway.client()) {
                    assertThat(plain.get("/").status()).isEqualTo(200);
                }
                assertThat(kept.raw().get("/").values("connection")).containsExactly("close");
                gateway.gateway().apply(encrypted.config());
                try (TlsClient again =
                        TlsClient.connect(gateway.gateway().address("main"), CA.context(null), "a.test", "TLSv1.3")) {
                    assertThat(again.raw().get("/").status()).isEqualTo(200);
                }
            }
        }
    }

    @Test
    void anotherUpstreamClosesNoConnections() throws Exception {
        OriginTlsConfig tls =
                OriginTlsConfig.DEFAULT.withCa(CA.writeCa(directory, "ca.pem")).withProvider(provider);
        try (ScriptedOrigin origin = origin().overTls(CA.context(CA.issue("127.0.0.1")), false)) {
            EndpointConfig endpoint = EndpointConfig.parse("https://127.0.0.1:" + origin.port());
            UpstreamConfig same = UpstreamConfig.of("origin", endpoint).withTls(tls);
            UpstreamConfig other = UpstreamConfig.of("another", endpoint).withTls(tls);
            try (Running gateway = new Setup().upstream(same).start();
                    var client = gateway.client()) {
                assertThat(client.get("/").status()).isEqualTo(200);
                gateway.gateway()
                        .apply(new Setup().upstream(other).upstream(same).config());
                assertThat(client.get("/").status()).isEqualTo(200);
                assertThat(origin.connectionsAccepted()).isEqualTo(1);
            }
        }
    }

    @Test
    void authoritiesOfOriginsAreFollowedToo() throws Exception {
        CertificateConfig ignored = Certificates.pem(directory, "unused", CA.issue("unused.test"));
        assertThat(ignored.files()).hasSize(2);
        try (ScriptedOrigin origin = origin().overTls(CA.context(CA.issue("127.0.0.1")), false)) {
            OriginTlsConfig tls = OriginTlsConfig.DEFAULT
                    .withCa(CA.writeCa(directory, "ca.pem"))
                    .withProvider(provider);
            Setup setup = new Setup()
                    .upstream(UpstreamConfig.of("origin", EndpointConfig.parse("https://127.0.0.1:" + origin.port()))
                            .withTls(tls));
            try (Running gateway = setup.start();
                    var client = gateway.client()) {
                assertThat(client.get("/").status()).isEqualTo(200);
                OTHER_CA.writeCa(directory, "ca.pem");
                gateway.gateway().apply(setup.config());
                // A connection that was believed before is not one that would be believed now.
                assertThat(client.get("/").status()).isEqualTo(502);
                CA.writeCa(directory, "ca.pem");
                gateway.gateway().apply(setup.config());
                assertThat(client.get("/").status()).isEqualTo(200);
            }
        }
    }

    @Test
    void contextsOfRemovedGenerationsAreReleased() throws Exception {
        assumeTrue(provider == TlsProvider.OPENSSL, "the JDK's are ordinary objects");
        try (ScriptedOrigin origin = origin()) {
            Setup setup = Setup.to(origin.address()).tls(site("old.test"));
            try (Running gateway = setup.start();
                    TlsClient open = connect(gateway)) {
                assertThat(open.raw().get("/").status()).isEqualTo(200);
                for (int i = 0; i < 30; i++) {
                    site("new.test");
                    gateway.gateway().apply(setup.config());
                    try (TlsClient client = connect(gateway)) {
                        assertThat(client.raw().get("/").status()).isEqualTo(200);
                    }
                }
                eventually(Duration.ofSeconds(20), () -> {
                    System.gc();
                    assertThat(NativeContextsCount.held()).isLessThanOrEqualTo(3);
                });
                // All other owners have released its context.
                assertThat(open.raw().get("/").status()).isEqualTo(200);
            }
        }
    }
}
