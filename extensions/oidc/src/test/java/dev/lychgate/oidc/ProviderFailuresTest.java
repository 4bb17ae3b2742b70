package dev.lychgate.oidc;

import static dev.lychgate.oidc.TestBrowser.location;
import static dev.lychgate.oidc.TestBrowser.visit;
import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.jwk.JWKSet;
import dev.lychgate.testing.RawMessage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A provider that fails, is slow, or changes its keys. */
@Tag("slow")
class ProviderFailuresTest extends WithProvider {
    ProviderFailuresTest() {
        super(Map.of());
    }

    @Test
    void respondsWith503WhileTheProviderIsNotAvailable() throws Exception {
        provider.override = path -> new TestProvider.Response(500, "");
        assertThat(browser.open("/").status()).isEqualTo(503);
        provider.override = path -> null;
        clock.pass(Duration.ofSeconds(1));
        String response = visit(location(browser.open("/")));
        provider.override = path -> path.equals("/token") ? new TestProvider.Response(500, "") : null;
        RawMessage failed = browser.open(response);
        assertThat(failed.status()).isEqualTo(503);
        assertThat(failed.body()).isEqualTo("the identity provider is not available");
        provider.override =
                path -> path.equals("/token") ? new TestProvider.Response(401, "{\"error\":\"invalid_client\"}") : null;
        assertThat(browser.login("/").status()).as("a wrong secret").isEqualTo(503);
    }

    @Test
    void refusesADiscoveryDocumentOfAnotherIssuerOrWithoutProtection() throws Exception {
        List<Consumer<Map<String, Object>>> faults = List.of(
                members -> members.put("issuer", "https://evil.test"),
                members -> members.remove("token_endpoint"),
                members -> members.put("jwks_uri", "file:///etc/passwd"),
                members -> members.put("token_endpoint", "https://user@id.example.com/token"),
                members -> members.put("authorization_endpoint", "/authorize"),
                members -> members.put("padding", "x".repeat(300_000)));
        for (Consumer<Map<String, Object>> fault : faults) {
            provider.metadata = fault;
            assertThat(browser.open("/").status()).isEqualTo(503);
            clock.pass(Duration.ofSeconds(1));
        }
        provider.metadata = members -> {};
        browser.loggedIn();
    }

    @Test
    void refusesResponsesThatAreTooLargeOrMalformed() throws Exception {
        Map<String, String> bodies = Map.of(
                "/keys", "{\"keys\":[],\"padding\":\"" + "x".repeat(512 << 10) + "\"}",
                "/token", "{\"padding\":\"" + "x".repeat(256 << 10) + "\"}");
        for (Map.Entry<String, String> each : bodies.entrySet()) {
            provider.override =
                    path -> path.equals(each.getKey()) ? new TestProvider.Response(200, each.getValue()) : null;
            assertThat(browser.login("/").status()).as(each.getKey()).isEqualTo(503);
            clock.pass(Duration.ofSeconds(1));
        }
        provider.override = path -> path.equals("/token") ? new TestProvider.Response(200, "[]") : null;
        assertThat(browser.login("/").status()).isEqualTo(503);
        provider.override = path -> null;
        browser.loggedIn();
    }

    @Test
    void fetchesNewKeysWhenAKeyIsUnknownButNotForEachToken() throws Exception {
        browser.loggedIn();
        provider.signing = TestProvider.OTHER_KEY;
        provider.published = new JWKSet(List.of(TestProvider.KEY.toPublicJWK(), TestProvider.OTHER_KEY.toPublicJWK()));
        assertThat(gateway.browser().login("/").status()).as("within 10 s").isEqualTo(403);
        assertThat(provider.count("/keys")).isEqualTo(1);
        clock.pass(Duration.ofSeconds(10));
        gateway.browser().loggedIn();
        assertThat(provider.count("/keys")).isEqualTo(2);
    }

    @Test
    void fetchesMetadataAndKeysAgainAfterAnHourAndKeepsThemDuringAFailure() throws Exception {
        browser.loggedIn();
        clock.pass(Duration.ofHours(1));
        gateway.browser().loggedIn();
        assertThat(provider.count("/.well-known/openid-configuration")).isEqualTo(2);
        assertThat(provider.count("/keys")).isEqualTo(2);
        clock.pass(Duration.ofHours(1));
        provider.override =
                path -> path.equals("/token") || path.equals("/authorize") ? null : new TestProvider.Response(503, "");
        gateway.browser().loggedIn();
        assertThat(provider.count("/keys")).isEqualTo(3);
    }

    @Test
    void limitsTheRequestsThatWaitForTheProvider() throws Exception {
        CountDownLatch arrived = new CountDownLatch(1);
        CountDownLatch respond = new CountDownLatch(1);
        provider.beforeToken = () -> {
            arrived.countDown();
            try {
                respond.await(10, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        };
        try (TestGateway narrow =
                TestGateway.start(extension, TestGateway.shared(Map.of("waiting", 1)), client(Map.of()))) {
            TestBrowser first = narrow.browser();
            String response = visit(location(first.open("/")));
            Thread waiting = new Thread(() -> {
                try {
                    first.open(response);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
            waiting.start();
            assertThat(arrived.await(10, TimeUnit.SECONDS)).isTrue();
            RawMessage refused = narrow.browser().open("/");
            assertThat(refused.status()).isEqualTo(503);
            assertThat(refused.body()).contains("too many requests wait");
            respond.countDown();
            waiting.join();
            assertThat(first.open("/").status()).isEqualTo(200);
        }
    }
}
