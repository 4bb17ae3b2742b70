package dev.lychgate.oidc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lychgate.testing.Certificates;
import dev.lychgate.testing.Responses;
import dev.lychgate.testing.ScriptedOrigin;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("slow")
class CallsTest {
    @TempDir
    Path home = Path.of("");

    private static Calls calls(@Nullable InetSocketAddress proxy, @Nullable SSLContext trust) {
        return new Calls(Duration.ofSeconds(20), proxy, trust, Runnable::run);
    }

    private static void fails(Calls calls, String uri, String reason) {
        assertThatThrownBy(() -> calls.get(URI.create(uri), 100).join())
                .isInstanceOf(CompletionException.class)
                .cause()
                .isInstanceOf(ProviderException.class)
                .hasMessageContaining(reason);
    }

    private static String url(ScriptedOrigin origin) {
        return "http://127.0.0.1:" + origin.port() + "/";
    }

    @Test
    void acceptsResponsesUpToTheirLimit() throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.answering((request, connection) ->
                connection.send(Responses.ok("x".repeat(request.target().length() - 1))))) {
            assertThat(calls(null, null)
                            .get(URI.create(url(origin) + "a".repeat(100)), 100)
                            .join()
                            .body())
                    .hasSize(100);
            fails(calls(null, null), url(origin) + "a".repeat(101), "more than 100 bytes");
        }
    }

    @Test
    void limitsTheTimeUntilTheLastByte() throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        try (ScriptedOrigin origin = ScriptedOrigin.answering((request, connection) -> {
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc");
            end.await();
        })) {
            Calls calls = new Calls(Duration.ofMillis(500), null, null, Runnable::run);
            fails(calls, url(origin), "no complete response within 500 ms");
            end.countDown();
        }
    }

    @Test
    void followsNoRedirect() throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.answering(
                (request, connection) -> connection.send(Responses.of(302, "", "Location: http://127.0.0.1:1/")))) {
            assertThat(calls(null, null)
                            .get(URI.create(url(origin)), 100)
                            .join()
                            .status())
                    .isEqualTo(302);
        }
    }

    @Test
    void connectsThroughTheConfiguredProxyOnly() throws Exception {
        try (ScriptedOrigin proxy =
                ScriptedOrigin.answering((request, connection) -> connection.send(Responses.ok(request.target())))) {
            Calls calls = calls(InetSocketAddress.createUnresolved("127.0.0.1", proxy.port()), null);
            assertThat(calls.get(URI.create("http://id.test/a"), 100).join().body())
                    .asString()
                    .isEqualTo("http://id.test/a");
        }
    }

    @Test
    void trustsTheConfiguredAuthoritiesOnly() throws Exception {
        Certificates authority = Certificates.authority("test");
        try (TestProvider provider = TestProvider.overTls(authority.context(authority.issue("127.0.0.1")))) {
            String discovery = provider.issuer() + "/.well-known/openid-configuration";
            fails(calls(null, null), discovery, "SSLHandshakeException");
            Calls trusting = calls(null, TrustedAuthorities.read(authority.writeCa(home, "ca.pem")));
            assertThat(trusting.get(URI.create(discovery), 10_000).join().status())
                    .isEqualTo(200);
            Calls other = calls(
                    null,
                    TrustedAuthorities.read(Certificates.authority("other").writeCa(home, "other.pem")));
            fails(other, discovery, "SSLHandshakeException");
        }
        try (TestProvider provider = TestProvider.overTls(authority.context(authority.issue("other.example.com")))) {
            fails(
                    calls(null, TrustedAuthorities.read(authority.writeCa(home, "ca.pem"))),
                    provider.issuer() + "/",
                    "SSLHandshakeException");
        }
    }

    @Test
    void postsFormsWithEncodedValues() throws Exception {
        try (ScriptedOrigin origin =
                ScriptedOrigin.answering((request, connection) -> connection.send(Responses.ok(request.body())))) {
            assertThat(calls(null, null)
                            .post(URI.create(url(origin)), Map.of("a b", "c&d=ä"), null, 100)
                            .join()
                            .body())
                    .asString()
                    .isEqualTo("a%20b=c%26d%3D%C3%A4");
        }
    }
}
