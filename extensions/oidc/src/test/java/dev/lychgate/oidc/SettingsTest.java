package dev.lychgate.oidc;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.nimbusds.jose.crypto.ECDSAVerifier;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jwt.SignedJWT;
import dev.lychgate.config.ConfigException;
import dev.lychgate.config.Form;
import dev.lychgate.config.PlainValues;
import dev.lychgate.config.Secret;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SettingsTest {
    private static final String ISSUER = "https://id.example.com";

    @TempDir
    Path home = Path.of("");

    private static ProviderSettings client(String key, Object value) {
        return TestGateway.client(ISSUER, Map.of(key, value));
    }

    private static void refused(ThrowingCallable reading, String key, String expected) {
        assertThatThrownBy(reading)
                .isInstanceOf(ConfigException.class)
                .hasMessageStartingWith(key + ": ")
                .hasMessageContaining(expected);
    }

    @Test
    void refusesRedirectUrisThatAreNotProtectedOrComplete() {
        for (String uri : List.of(
                "http://app.example.com/callback",
                "https://app.example.com",
                "https://app.example.com/",
                "https://user@app.example.com/callback",
                "https://app.example.com/callback?a=b",
                "https://app.example.com/callback#a",
                "https://app.example.com/a//b",
                "https://app.example.com/a%2Fb",
                "/callback",
                "app.example.com/callback",
                "https:///callback",
                "://")) {
            refused(() -> client("redirect-uri", List.of(uri)), "redirect-uri", "an https URL with a path");
        }
        refused(() -> client("redirect-uri", List.of()), "redirect-uri", "at least one");
        refused(
                () -> client("redirect-uri", List.of("https://a.test/x", "https://b.test/y")),
                "redirect-uri",
                "differ only in their hosts");
        assertThat(client("redirect-uri", List.of("http://127.0.0.1:8080/callback"))
                        .isSecure())
                .isFalse();
    }

    @Test
    void refusesIssuersThatAreNotProtected() {
        for (String issuer : List.of(
                "http://id.example.com",
                "https://id.example.com?a",
                "https://u@id.example.com",
                "id.example.com",
                "")) {
            refused(() -> TestGateway.client(issuer, Map.of()), "issuer", "an https URL");
        }
        assertThat(TestGateway.client("http://localhost:9000/realms/a", Map.of())
                        .issuer())
                .endsWith("/a");
    }

    @Test
    void refusesSettingsThatContradictEachOther() {
        refused(() -> client("client-key", "key.json"), "client-key", "client-secret or client-key");
        refused(() -> client("scopes", List.of("profile")), "scopes", "openid among the scopes");
        refused(() -> client("algorithms", List.of()), "algorithms", "at least one");
        for (String reserved : List.of("state", "nonce", "redirect_uri", "max_age", "request_uri", "response_mode")) {
            refused(
                    () -> client("parameters", Map.of(reserved, "x")),
                    "parameters",
                    "a parameter that the gateway does not set itself");
        }
        refused(() -> client("logout-path", "/oidc/callback"), "logout-path", "a path that neither");
        refused(
                () -> client("back-channel-logout-path", "/oidc/front"),
                "back-channel-logout-path",
                "a path that neither");
        Map<String, Object> values = new HashMap<>(Map.of(
                "issuer", ISSUER, "client-id", "web", "redirect-uri", List.of("https://a.test/x"), "redirect", false));
        refused(() -> ProviderSettings.KEYS.read(PlainValues.of(values)), "redirect", "login-path, or redirect: true");
    }

    @Test
    void refusesFewOrShortSessionKeysWithoutShowingThem() {
        refused(() -> TestGateway.shared(Map.of("session-keys", List.of())), "session-keys", "at least one key");
        assertThat(TestGateway.shared(Map.of())).asString().doesNotContain(TestGateway.KEY);
        assertThat(TestGateway.client(ISSUER, Map.of())).asString().doesNotContain(TestProvider.SECRET);
        Form<?> item = requireNonNull(OidcSettings.KEYS.keys().get(0).form().item());
        assertThatThrownBy(() -> item.check("session-keys", cast("short")))
                .isInstanceOf(ConfigException.class)
                .hasMessage("session-keys: *** (expected: 32 to 4096 random characters)");
    }

    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    private static <T> T cast(Object value) {
        return (T) value;
    }

    @Test
    void refusesTwoProvidersWithOneRedirectUriOrCookie() {
        OidcExtension extension = new OidcExtension();
        OidcParts parts = extension.open(TestGateway.shared(Map.of()));
        parts.provider(TestGateway.client(ISSUER, Map.of("cookie", "session")));
        refused(
                () -> parts.provider(TestGateway.client("https://other.example.com", Map.of())),
                "redirect-uri",
                "another value: https://id.example.com, client web, already has this value");
        refused(
                () -> parts.provider(TestGateway.client(
                        "https://other.example.com",
                        Map.of("cookie", "session", "redirect-uri", List.of("https://app.example.com/other")))),
                "cookie",
                "another value");
        parts.provider(TestGateway.client(ISSUER, Map.of("cookie", "session", "scopes", List.of("openid", "email"))));
    }

    @Test
    void refusesFilesThatCannotBeUsed() throws Exception {
        Path key = Files.writeString(
                home.resolve("key.json"), TestProvider.KEY.toPublicJWK().toJSONString());
        for (String file : List.of(key.toString(), home.resolve("missing").toString())) {
            refused(() -> credentials(file), "client-key", "");
        }
        Files.writeString(key, "{");
        refused(() -> credentials(key.toString()), "client-key", "as a JWK");
        refused(
                () -> new OidcExtension().open(TestGateway.shared(Map.of("ca-file", key.toString()))),
                "ca-file",
                "certificates in PEM");
        refused(
                () -> new OidcExtension()
                        .open(TestGateway.shared(
                                Map.of("ca-file", home.resolve("missing").toString()))),
                "ca-file",
                "a file that can be read");
    }

    private static ClientCredentials credentials(String file) {
        Map<String, Object> values = new HashMap<>(Map.of(
                "issuer",
                ISSUER,
                "client-id",
                "web",
                "client-key",
                file,
                "redirect-uri",
                List.of("https://app.example.com/oidc/callback")));
        return new ClientCredentials(
                ProviderSettings.KEYS.read(PlainValues.of(values)), new SecureRandom(), Clock.systemUTC());
    }

    @Test
    void signsAssertionsWithAnEllipticKey() throws Exception {
        ECKey key = new ECKeyGenerator(Curve.P_256).keyID("ec").generate();
        Path file = Files.writeString(home.resolve("key.json"), key.toJSONString());
        Map<String, String> parameters = new HashMap<>();
        assertThat(credentials(file.toString()).authenticate(parameters, URI.create(ISSUER + "/token")))
                .isNull();
        SignedJWT assertion = SignedJWT.parse(parameters.get("client_assertion"));
        assertThat(assertion.verify(new ECDSAVerifier(key.toPublicJWK()))).isTrue();
        assertThat(assertion.getJWTClaimsSet().getAudience()).containsExactly(ISSUER + "/token");
        assertThat(parameters).containsEntry("client_id", "web");
    }

    @Test
    void derivesTheNameOfTheCookieFromIssuerAndClient() {
        assertThat(TestGateway.client(ISSUER, Map.of()).cookieBase()).matches("oidc-[0-9a-f]{8}");
        assertThat(TestGateway.client(ISSUER, Map.of("client-id", "other")).cookieBase())
                .isNotEqualTo(TestGateway.client(ISSUER, Map.of()).cookieBase());
        assertThat(TestGateway.client(ISSUER, Map.of("client-secret", new Secret("other")))
                        .cookieBase())
                .isEqualTo(TestGateway.client(ISSUER, Map.of()).cookieBase());
    }
}
