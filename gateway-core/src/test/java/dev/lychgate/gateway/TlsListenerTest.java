package dev.lychgate.gateway;

import static dev.lychgate.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.lychgate.config.ListenerTimeouts;
import dev.lychgate.config.TlsConfig;
import dev.lychgate.config.TlsVersion;
import dev.lychgate.testing.Certificates;
import dev.lychgate.testing.Ending;
import dev.lychgate.testing.OpenSslClient;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.RawMessage;
import dev.lychgate.testing.Responses;
import dev.lychgate.testing.ScriptedOrigin;
import dev.lychgate.testing.TlsClient;
import dev.lychgate.testing.WithEachTlsProvider;
import dev.lychgate.tls.TlsFault;
import java.io.IOException;
import java.time.Duration;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** TLS with clients, by each provider: the negotiated parameters, and failed handshakes. */
@ParameterizedClass
@EnumSource(names = {"OPENSSL", "JDK"})
@Tag("slow")
@Tag("each-jdk")
class TlsListenerTest extends WithEachTlsProvider {
    private static final Certificates CA = Certificates.authority("Test Authority");

    private TlsConfig tls() {
        return TlsConfig.of(Certificates.pem(directory, "site", CA.issue("lychgate.test")))
                .withProvider(provider);
    }

    private static ScriptedOrigin origin() {
        return ScriptedOrigin.answering((request, connection) -> connection.send(Responses.ok("hello")));
    }

    private static TlsClient connect(Running gateway, @Nullable String name, String... protocols) throws IOException {
        // A new context: a shared one resumes sessions.
        return TlsClient.connect(gateway.gateway().address("main"), CA.context(null), name, protocols);
    }

    private static long failed(Running gateway, TlsFault fault) {
        return gateway.gateway().listeners().get(0).counters().handshakes().failed(fault);
    }

    private static long done(Running gateway, boolean newest, boolean resumed) {
        return gateway.gateway().listeners().get(0).counters().handshakes().done(newest, resumed);
    }

    @Test
    void servesRequestsOnOneConnectionAfterAnother() throws Exception {
        try (ScriptedOrigin origin = origin();
                Running gateway = Setup.to(origin.address()).tls(tls()).start()) {
            for (int i = 0; i < 3; i++) {
                try (TlsClient client = connect(gateway, "lychgate.test")) {
                    assertThat(client.applicationProtocol()).isEqualTo("http/1.1");
                    for (int j = 0; j < 3; j++) {
                        assertThat(client.raw().get("/").body()).isEqualTo("hello");
                    }
                }
            }
            assertThat(origin.requests().get(0).value("x-forwarded-proto")).contains("https");
        }
    }

    @Test
    void supportsEachConfiguredVersion() throws Exception {
        try (ScriptedOrigin origin = origin();
                Running gateway = Setup.to(origin.address()).tls(tls()).start()) {
            try (TlsClient client = connect(gateway, "lychgate.test", "TLSv1.2")) {
                assertThat(client.raw().get("/").status()).isEqualTo(200);
            }
            try (TlsClient client = connect(gateway, "lychgate.test", "TLSv1.3")) {
                assertThat(client.raw().get("/").status()).isEqualTo(200);
            }
            assertThat(done(gateway, false, false)).isEqualTo(1);
            assertThat(done(gateway, true, false) + done(gateway, true, true)).isEqualTo(1);
        }
    }

    @Test
    void refusesVersionsThatAreNotConfigured() throws Exception {
        try (ScriptedOrigin origin = origin();
                Running gateway = Setup.to(origin.address())
                        .tls(tls().withProtocols(TlsVersion.TLS_1_3))
                        .start()) {
            assertThatThrownBy(
                            () -> connect(gateway, "lychgate.test", "TLSv1.2").close())
                    .isInstanceOf(SSLException.class);
            eventually(() ->
                    assertThat(failed(gateway, TlsFault.NOTHING_IN_COMMON)).isEqualTo(1));
        }
    }

    @Test
    void presentsTheCertificateForTheRequestedName() throws Exception {
        TlsConfig several = TlsConfig.of(
                        Certificates.pem(directory, "first", CA.issue("first.test")),
                        Certificates.pem(directory, "second", CA.issueRsa("second.test", "other.test")),
                        Certificates.store(directory, "wild", CA.issue("*.wild.test"), "secret"))
                .withProvider(provider);
        try (ScriptedOrigin origin = origin();
                Running gateway = Setup.to(origin.address()).tls(several).start()) {
            assertThat(subject(gateway, "first.test")).isEqualTo("CN=first.test");
            assertThat(subject(gateway, "second.test")).isEqualTo("CN=second.test");
            assertThat(subject(gateway, "OTHER.test")).isEqualTo("CN=second.test");
            assertThat(subject(gateway, "a.wild.test")).isEqualTo("CN=wild.test");
            assertThat(subject(gateway, "a.b.wild.test")).isEqualTo("CN=first.test");
            assertThat(subject(gateway, "wild.test")).isEqualTo("CN=first.test");
            assertThat(subject(gateway, "unknown.test")).isEqualTo("CN=first.test");
            assertThat(subject(gateway, null)).isEqualTo("CN=first.test");
        }
    }

    private static String subject(Running gateway, @Nullable String name) throws IOException {
        try (TlsClient client = connect(gateway, name)) {
            assertThat(client.raw().get("/").status()).isEqualTo(200);
            return client.serverSubject();
        }
    }

    @Test
    void respondsToPlainHttpInPlainHttp() throws Exception {
        try (ScriptedOrigin origin = origin();
                Running gateway = Setup.to(origin.address()).tls(tls()).start();
                RawClient client = gateway.client()) {
            RawMessage response = client.get("/");

            assertThat(response.status()).isEqualTo(400);
            assertThat(response.value("content-type")).contains("application/problem+json");
            assertThat(response.body()).contains("HTTPS");
            client.expectClosed();
            assertThat(failed(gateway, TlsFault.PLAINTEXT)).isEqualTo(1);
        }
    }

    @Test
    void closesOnGarbage() throws Exception {
        try (ScriptedOrigin origin = origin();
                Running gateway = Setup.to(origin.address()).tls(tls()).start();
                RawClient first = gateway.client();
                RawClient second = gateway.client()) {
            first.send("\u0000\u0001garbage");
            assertThat(first.awaitEnd()).isIn(Ending.CLOSED, Ending.RESET);
            // It starts like a handshake record, and continues with other bytes.
            second.send("\u0016\u0003\u0001\u0000\u0005cnonsense, and more of it");
            assertThat(second.awaitEnd()).isIn(Ending.CLOSED, Ending.RESET);
            assertThat(failed(gateway, TlsFault.GARBAGE)).isGreaterThanOrEqualTo(1);
        }
    }

    @Test
    void waitsForNoHandshakeLongerThanItMay() throws Exception {
        Duration tenth = Duration.ofMillis(700);
        ListenerTimeouts times = new ListenerTimeouts(
                Duration.ofSeconds(10), Duration.ofSeconds(10), Duration.ofSeconds(10), Duration.ofSeconds(10), tenth);
        try (ScriptedOrigin origin = origin();
                Running gateway =
                        Setup.to(origin.address()).tls(tls()).clients(times).start();
                RawClient silent = gateway.client();
                RawClient slow = gateway.client()) {
            Thread drip = new Thread(() -> {
                try {
                    // For longer than the test waits for the end of the connection.
                    String hello = "\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003";
                    slow.sendSlowly(hello + "\u0000".repeat(50), 60, Duration.ofMillis(200));
                } catch (IOException | AssertionError e) {
                    // Closed meanwhile, as expected.
                }
            });
            drip.start();
            assertThat(silent.awaitEnd()).isIn(Ending.CLOSED, Ending.RESET);
            assertThat(slow.awaitEnd()).isIn(Ending.CLOSED, Ending.RESET);
            drip.join();
            assertThat(failed(gateway, TlsFault.TIMEOUT)).isEqualTo(2);
        }
    }

    @Test
    void releasesClientsThatLeaveWithinTheirHello() throws Exception {
        try (ScriptedOrigin origin = origin();
                Running gateway = Setup.to(origin.address()).tls(tls()).start()) {
            try (RawClient half = gateway.client()) {
                half.send("\u0016\u0003\u0001\u0002\u0000\u0001\u0000");
            }
            try (RawClient reset = gateway.client()) {
                reset.send("\u0016\u0003\u0001\u0002\u0000\u0001\u0000");
                reset.reset();
            }
            eventually(() -> assertThat(failed(gateway, TlsFault.CLOSED)).isEqualTo(2));
            eventually(() -> assertThat(
                            gateway.gateway().listeners().get(0).counters().open())
                    .isZero());
        }
    }

    @Test
    void absoluteFormIsForTheSchemeOfTheConnection() throws Exception {
        try (ScriptedOrigin origin = origin();
                Running gateway = Setup.to(origin.address()).tls(tls()).start()) {
            try (TlsClient client = connect(gateway, "lychgate.test")) {
                assertThat(client.raw().get("https://lychgate.test/x").status()).isEqualTo(200);
                assertThat(client.raw().get("http://lychgate.test/x").status()).isEqualTo(421);
            }
            assertThat(origin.requests()).hasSize(1);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.3", "TLSv1.2"})
    void resumesSessionsOfClientsThatComeBack(String protocol) throws Exception {
        SSLContext remembering = CA.context(null);
        try (ScriptedOrigin origin = origin();
                Running gateway = Setup.to(origin.address()).tls(tls()).start()) {
            for (int i = 0; i < 3; i++) {
                try (TlsClient client =
                        TlsClient.connect(gateway.gateway().address("main"), remembering, "lychgate.test", protocol)) {
                    // Tickets of TLS 1.3 follow the handshake, with the response.
                    assertThat(client.raw().get("/").status()).isEqualTo(200);
                }
            }
            boolean newest = protocol.equals("TLSv1.3");
            assertThat(done(gateway, newest, false)).isEqualTo(1);
            assertThat(done(gateway, newest, true)).isEqualTo(2);
        }
    }

    /** With OpenSSL's client: the JDK's client sends the old name again when it resumes. */
    @ParameterizedTest
    @ValueSource(strings = {"-tls1_3", "-tls1_2"})
    void resumesNoSessionUnderAnotherName(String protocol) throws Exception {
        assumeTrue(OpenSslClient.isThere(), "there is no openssl on this machine");
        TlsConfig two = TlsConfig.of(
                        Certificates.pem(directory, "one", CA.issue("one.test")),
                        Certificates.pem(directory, "two", CA.issue("two.test")))
                .withProvider(provider);
        String kept = directory.resolve("session").toString();
        try (ScriptedOrigin origin = origin();
                Running gateway = Setup.to(origin.address()).tls(two).start()) {
            OpenSslClient client = new OpenSslClient(gateway.gateway().address("main"));
            assertThat(client.get("one.test", protocol, "-sess_out", kept)).contains("New, ", "hello");
            assertThat(client.get("one.test", protocol, "-sess_in", kept)).contains("Reused, ", "hello");
            assertThat(client.get("two.test", protocol, "-sess_in", kept)).contains("New, ", "CN = two.test", "hello");
        }
    }

    @Test
    void drainsConnectionsInEveryState() throws Exception {
        try (ScriptedOrigin origin = origin();
                Running gateway = Setup.to(origin.address()).tls(tls()).start();
                RawClient shaking = gateway.client();
                TlsClient idle = connect(gateway, "lychgate.test")) {
            assertThat(idle.raw().get("/").status()).isEqualTo(200);
            eventually(() -> assertThat(
                            gateway.gateway().listeners().get(0).counters().open())
                    .isEqualTo(2));

            assertThat(gateway.drain(Duration.ofSeconds(30))).isZero();

            assertThat(shaking.awaitEnd()).isIn(Ending.CLOSED, Ending.RESET);
            idle.raw().expectClosed();
        }
    }

    @Test
    void disconnectsAClientThatOnlyUpdatesKeys() throws Exception {
        try (ScriptedOrigin origin = origin();
                Running gateway = Setup.to(origin.address()).tls(tls()).start();
                TlsClient client = connect(gateway, "lychgate.test", "TLSv1.3")) {
            assertThat(client.raw().get("/").status()).isEqualTo(200);
            assertThatThrownBy(() -> {
                        for (int i = 0; i < 100_000; i++) {
                            client.updateKeys();
                        }
                    })
                    .isInstanceOf(IOException.class);
        }
    }

    @Test
    void acceptsAFewKeyUpdates() throws Exception {
        try (ScriptedOrigin origin = origin();
                Running gateway = Setup.to(origin.address()).tls(tls()).start();
                TlsClient client = connect(gateway, "lychgate.test", "TLSv1.3")) {
            for (int i = 0; i < 40; i++) {
                client.updateKeys();
                assertThat(client.raw().get("/").status()).isEqualTo(200);
            }
        }
    }
}
